import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { destinationChoices } from "#src/accounts/account.ts";
import { Secret } from "#src/shared/secret.ts";
import { ANA, BRUNO, GUILD, savedAccount, TABLES } from "../database/builders.ts";
import { oneDatabase } from "../support/databases.ts";
import { directChannel } from "../support/fake-channels.ts";
import { type DisputeStage, useDisputeStage } from "./dispute-stage.ts";

const GUILDS = [GUILD, "900000000000000002", "900000000000000003"] as const;
/** The first is the one that Ana has connected from the start. */
const KEYS = ["sk_sandbox_ana_0123", "sk_sandbox_ana_4567"] as const;
const channelOf = (guildId: string): string => guildId.replace("90", "91");

const guildId = fc.constantFrom(...GUILDS);
const ownerId = fc.constantFrom(ANA, BRUNO);
const action = fc.oneof(
  fc.record({ does: fc.constant("connect"), guildId, ownerId, key: fc.constantFrom(...KEYS) }),
  fc.record({ does: fc.constant("remove"), guildId, ownerId }),
  fc.record({
    does: fc.constant("choose"),
    guildId,
    ownerId,
    choice: fc.constantFrom(...destinationChoices),
  }),
  fc.record({ does: fc.constant("route"), guildId, active: fc.boolean() }),
  fc.record({ does: fc.constant("throttle"), isOn: fc.boolean() }),
  fc.record({ does: fc.constant("open") }),
  fc.record({ does: fc.constant("pass"), minutes: fc.integer({ min: 1, max: 8 }) }),
);
type Action = Partial<{
  readonly guildId: string;
  readonly ownerId: string;
  readonly key: string;
  readonly choice: (typeof destinationChoices)[number];
  readonly active: boolean;
  readonly isOn: boolean;
  readonly minutes: number;
}> & { readonly does: string };

/** Performs the actions one after the other, then delivers everything owed. */
const live = async (stage: DisputeStage, actions: readonly Action[]) => {
  const { accounts } = stage.stores;
  const infractions: string[] = [];
  const of = async (owner: string) => {
    const found = await Promise.all(GUILDS.map((each) => accounts.find(each, owner)));
    return found.filter((account) => account !== undefined);
  };
  const doOne = async (one: Action): Promise<void> => {
    const { does, guildId: guild = "", ownerId: owner = "", choice = "direct" } = one;
    const now = stage.clock.now();
    if (does === "connect") {
      const own = { guildId: guild, ownerId: owner, ownerVerified: false, connectedAt: now };
      await accounts.save(savedAccount(own), new Secret(one.key ?? ""), ANA);
    }
    // An owner who removed the last connection and returns is alerted anew.
    if (does === "remove" && (await of(owner)).length > 1)
      await accounts.remove(guild, owner, owner, now);
    // Only Ana's alerts go to the channel, so that their owner is certain.
    if (does === "choose" && (owner === ANA || choice !== "channel"))
      await accounts.setAlerts(guild, owner, choice, now);
    if (does === "route")
      await stage.route({
        guildId: guild,
        channelId: channelOf(guild),
        active: one.active ?? true,
      });
    if (does === "throttle") {
      if (one.isOn === true) stage.hold();
      else stage.channels.mishap = undefined;
    }
    if (does === "open") {
      infractions.push(`infraction-${String(infractions.length).padStart(3, "0")}`);
      stage.service.add(infractions.at(-1) ?? "", 100);
    }
    if (does === "pass") await stage.pass({ minutes: one.minutes ?? 1 });
  };
  for (const one of actions) await doOne(one);
  await doOne({ does: "throttle", isOn: false });
  const people = [];
  for (const owner of [ANA, BRUNO]) {
    const connected = await of(owner);
    if (connected.length > 0) people.push(owner);
    for (const account of connected)
      await doOne({ does: "choose", guildId: account.guildId, ownerId: owner, choice: "direct" });
  }
  await stage.pass({ minutes: 14 });
  return { infractions, people };
};

describe.each(oneDatabase)("S11: connections that come, go and change, on $name", (kind) => {
  const open = useDisputeStage(kind);

  it("S11: bring each person every alert of one wallet account exactly once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 30 }), async (actions) => {
        const stage = await open();
        const { infractions, people } = await live(stage, actions);
        for (const table of TABLES) await stage.db.deleteFrom(table).execute();
        const { messages } = stage.channels;
        for (const person of people) {
          const isTheirs = (channelId: string): boolean =>
            channelId === directChannel(person) ||
            (person === ANA && channelId !== directChannel(BRUNO));
          const told = infractions.map((id) => [
            id,
            messages.filter(({ channelId, text }) => isTheirs(channelId) && text.includes(id))
              .length,
          ]);
          expect(told).toEqual(infractions.map((id) => [id, 1]));
        }
      }),
      { numRuns: Number(process.env["ALERT_LIVES"] ?? 15) },
    );
  });
});
