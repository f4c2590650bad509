import { describe, expect, it } from "vitest";
import { textsFor } from "#src/texts.ts";
import { Secret } from "#src/shared/secret.ts";
import { ANA, BRUNO, CHANNEL, GUILD, noticeTo, savedAccount } from "../database/builders.ts";
import { OTHER_CHANNEL, ROLE } from "./dispute-builders.ts";
import { oneDatabase } from "../support/databases.ts";
import { directChannel } from "../support/fake-channels.ts";
import { type DisputeStage, OWNER, TITLE, useDisputeStage } from "./dispute-stage.ts";

const ELSEWHERE = "900000000000000002";
const OTHER_ROLE = "940000000000000002";
const THIRD = "900000000000000003";
/** The key that Ana has connected in the first guild from the start. */
const KEY = new Secret("sk_sandbox_ana_0123");
const OTHER_KEY = new Secret("sk_sandbox_ana_4567");

const UNLISTED = textsFor("pt-BR").disputeAlerts.unlisted;
const DEFENDED = { status: "disagreed" } as const;

describe.each(oneDatabase)(
  "S11: one alert for each wallet account and person, on $name",
  (kind) => {
    const open = useDisputeStage(kind);
    const connect = (
      { stores, clock }: DisputeStage,
      guildId: string,
      { key = KEY, ownerId = ANA } = {},
    ) =>
      stores.accounts.save(savedAccount({ guildId, ownerId, connectedAt: clock.now() }), key, ANA);
    const choose = (
      { stores, clock }: DisputeStage,
      guildId: string,
      choice: "channel" | "direct" | "off",
    ) => stores.accounts.setAlerts(guildId, ANA, choice, clock.now(), undefined);
    const all = ({ channels }: DisputeStage) => channels.messages.length;
    /** The service refuses the key from now on. */
    const refuse = ({ service }: DisputeStage, refused: Secret): void => {
      const { refuses } = service;
      service.refuses = (apiKey) => apiKey === refused.reveal() || refuses(apiKey);
    };

    it("S11: two servers and one key: one alert for each step, and one poll for both", async () => {
      const stage = await open();
      await connect(stage, ELSEWHERE);
      await stage.pass({ minutes: 6 });
      stage.service.reads.length = 0;
      stage.service.add("i1", 100);
      await stage.pass({ minutes: 30 });
      expect([stage.told(), all(stage)]).toEqual([[TITLE.new], 1]);
      expect(stage.service.reads.filter((what) => what === "summary")).toHaveLength(6);
      await stage.pass({ hours: 30 }, { hours: 2 });
      expect([stage.told(), all(stage)]).toEqual([[TITLE.new, TITLE["72h"]], 2]);
    });

    it("S11: two keys of one account are watched once, and go on when one is refused", async () => {
      const stage = await open();
      await connect(stage, GUILD);
      await connect(stage, ELSEWHERE, { key: OTHER_KEY });
      stage.service.add("i1", 100);
      await stage.pass({ minutes: 6 });
      expect(all(stage)).toBe(1);
      const here = await stage.stores.accounts.find(GUILD, ANA);
      const notice = noticeTo(BRUNO, "refused");
      await stage.stores.accounts.pause(here!.id, stage.clock.now(), notice);
      stage.service.add("i2", 100);
      await stage.pass({ minutes: 6 });
      expect(stage.told()).toEqual([TITLE.new, TITLE.new]);
    });

    it("S11: of two keys of one account, a refused one is told as the last only after the other", async () => {
      const stage = await open();
      // The key of the oldest connection reads.
      await stage.pass({ minutes: 1 });
      await connect(stage, ELSEWHERE, { key: OTHER_KEY });
      for (const key of [KEY, OTHER_KEY]) {
        refuse(stage, key);
        await stage.pass({ minutes: 6 });
      }
      const [one, last] = stage.channels.messages.map(({ text }) => text);
      expect(one).toContain("Outra chave sua da mesma conta continua funcionando");
      expect(one).not.toMatch(/não vejo/);
      expect(last).toContain("não vejo os seus MEDs nem as suas vendas");
    });

    it("S11: two people of one wallet account are told once each, and share what one key read", async () => {
      const stage = await open();
      await connect(stage, GUILD);
      await connect(stage, ELSEWHERE);
      await connect(stage, ELSEWHERE, { key: OTHER_KEY, ownerId: BRUNO });
      await connect(stage, THIRD, { ownerId: BRUNO });
      await stage.pass({ minutes: 6 });
      stage.service.reads.length = 0;
      stage.service.add("i1", 100);
      await stage.pass({ minutes: 10 });
      expect([stage.told(), stage.told(directChannel(BRUNO))]).toEqual([[TITLE.new], [TITLE.new]]);
      expect(all(stage)).toBe(2);
      const readsOf = (name: string) => stage.service.reads.filter((what) => what === name).length;
      // In each of two polls, by each key.
      expect(readsOf("summary")).toBe(4);
      expect(readsOf("list")).toBe(1);
      // Once for both, and right before each post.
      expect(readsOf("i1")).toBe(3);
    });

    it.each([
      ["the one", KEY, ANA],
      ["the other", OTHER_KEY, BRUNO],
    ])(
      "S11: of two people of one wallet account, %s is told no more once the key is refused",
      async (_, refused, ownerId) => {
        const stage = await open();
        await connect(stage, GUILD);
        await connect(stage, ELSEWHERE, { key: OTHER_KEY, ownerId: BRUNO });
        await stage.pass({ minutes: 6 });
        refuse(stage, refused);
        stage.service.add("i1", 100);
        await stage.pass({ minutes: 6 });
        const own = await stage.stores.accounts.ofOwner(ownerId);
        expect(own.map(({ pausedAt }) => pausedAt !== undefined)).toEqual([true]);
        const toldTo = [ANA, BRUNO].map((person) => stage.told(directChannel(person)));
        expect(toldTo.map((titles) => titles.includes(TITLE.new))).toEqual(
          [ANA, BRUNO].map((person) => person !== ownerId),
        );
      },
    );

    const twoOwners = async (): Promise<DisputeStage> => {
      const stage = await open();
      await connect(stage, ELSEWHERE, { key: OTHER_KEY, ownerId: BRUNO });
      stage.service.add("i1", 80);
      await stage.pass({ minutes: 6 });
      return stage;
    };

    it("S11: whose key is refused while another owner's works is reminded of nothing more", async () => {
      const stage = await twoOwners();
      refuse(stage, OTHER_KEY);
      await stage.pass({ minutes: 6 });
      stage.service.change("i1", { status: "disagreed" });
      const told = stage.told(directChannel(BRUNO));
      await stage.pass({ hours: 84 }, { hours: 2 });
      expect([stage.told(), stage.told(directChannel(BRUNO))]).toEqual([
        [TITLE.new, TITLE.answered],
        told,
      ]);
    });

    it("S11: two people whose keys are all refused go on being reminded", async () => {
      const stage = await twoOwners();
      for (const key of [KEY, OTHER_KEY]) refuse(stage, key);
      await stage.pass({ hours: 9 }, { minutes: 30 });
      for (const person of [ANA, BRUNO])
        expect(stage.told(directChannel(person))).toContain(TITLE["72h"]);
    });

    const decided = (analysisStatus: string) => (stage: DisputeStage) =>
      stage.service.change("i1", { ...DEFENDED, analysisStatus });

    it.each<[string, (stage: DisputeStage) => unknown, string, number, number]>([
      ["an alert of a new MED", ({ service }) => service.add("i2", 90), TITLE.new, 1, 6],
      ["an answer", ({ service }) => service.change("i1", DEFENDED), TITLE.answered, 0, 61],
      ["a MED that was won", decided("rejected"), TITLE.won, 0, 61],
      ["a MED that is not listed", ({ service }) => service.add("hidden", 60), UNLISTED, 0, 61],
    ])(
      "S11: %s, which waits as its owner's key is refused, is told once a key works again",
      async (_, happens, title, before, minutes) => {
        const stage = await twoOwners();
        stage.service.listed = (dispute) =>
          dispute.infractionId === "hidden" ? undefined : dispute;
        stage.hold(directChannel(BRUNO));
        happens(stage);
        await stage.pass({ minutes: 6 });
        refuse(stage, OTHER_KEY);
        await stage.pass({ minutes: 6 });
        stage.channels.mishap = undefined;
        await stage.pass({ minutes: 6 });
        const told = () => stage.told(directChannel(BRUNO)).filter((each) => each === title);
        expect(told()).toHaveLength(before);
        await connect(stage, ELSEWHERE, { ownerId: BRUNO });
        await stage.pass({ minutes }, { minutes: Math.ceil(minutes / 10) });
        expect(told()).toHaveLength(before + 1);
      },
    );

    it("S11: a channel that one of the servers offers gets it, and the direct messages do not", async () => {
      const stage = await open();
      await connect(stage, ELSEWHERE);
      await stage.route({ guildId: ELSEWHERE, channelId: OTHER_CHANNEL });
      await choose(stage, ELSEWHERE, "channel");
      stage.service.add("i1", 100);
      await stage.pass({ minutes: 6 });
      expect([stage.told(OTHER_CHANNEL), all(stage)]).toEqual([[TITLE.new], 1]);
      await stage.route({ guildId: ELSEWHERE, channelId: OTHER_CHANNEL, active: false });
      stage.service.add("i2", 100);
      await stage.pass({ minutes: 6 });
      expect([stage.told(), all(stage)]).toEqual([[TITLE.new], 2]);
    });

    it("S11: moved to the channel of another server pings the role of that one alone", async () => {
      const stage = await open();
      const away = { guildId: ELSEWHERE, channelId: OTHER_CHANNEL };
      await connect(stage, ELSEWHERE);
      await stage.route({ roleId: ROLE, pingSteps: ["new"] });
      await stage.route({ ...away, roleId: OTHER_ROLE, pingSteps: ["new"] });
      await choose(stage, GUILD, "channel");
      await choose(stage, ELSEWHERE, "channel");
      stage.service.add("i1", 100);
      await stage.poll();
      let once = true;
      stage.service.onRead = async () => {
        if (!once) return;
        once = false;
        await stage.stores.accounts.remove(GUILD, ANA, ANA, stage.clock.now());
      };
      await stage.pass({ minutes: 2 });
      const pings = { userId: ANA, roleId: OTHER_ROLE };
      expect(stage.channels.messages).toMatchObject([{ channelId: OTHER_CHANNEL, pings }]);
    });

    it("S11: goes to direct messages when the connection that was told by goes while its channel is searched", async () => {
      const stage = await open();
      await connect(stage, ELSEWHERE);
      await stage.routeToChannel();
      stage.service.add("i1", 100);
      await stage.poll();
      stage.channels.mishap = () => ({
        outcome: { kind: "unclear", reason: "reset" },
        made: false,
      });
      await stage.deliver();
      stage.channels.mishap = undefined;
      const { findPosted } = stage.channels;
      const findOnce = async () => {
        Object.assign(stage.channels, { findPosted });
        await stage.stores.accounts.remove(GUILD, ANA, ANA, stage.clock.now());
        return { kind: "unreadable", lasting: true };
      };
      Object.assign(stage.channels, { findPosted: findOnce });
      await stage.pass({ minutes: 9 }, { minutes: 3 });
      expect([stage.told(CHANNEL), stage.told()]).toEqual([[], [`${TITLE.new} (reenvio)`]]);
    });

    it("S11: when the connection that was told by goes, the others go on without repeating anything", async () => {
      const stage = await open();
      await connect(stage, ELSEWHERE);
      await stage.route();
      await choose(stage, GUILD, "channel");
      stage.service.add("i1", 100);
      await stage.pass({ minutes: 6 });
      stage.hold();
      stage.service.add("waiting", 90);
      await stage.pass({ minutes: 6 });
      await stage.stores.accounts.remove(GUILD, ANA, ANA, stage.clock.now());
      stage.channels.mishap = undefined;
      await stage.pass({ minutes: 6 });
      expect([stage.told(CHANNEL), stage.told()]).toEqual([[TITLE.new], [TITLE.new]]);
      await stage.pass({ hours: 20 }, { hours: 2 });
      expect(stage.told(CHANNEL)).toHaveLength(1);
      expect(stage.told()).toEqual([TITLE.new, TITLE["72h"]]);
      await stage.stores.accounts.remove(ELSEWHERE, ANA, ANA, stage.clock.now());
      expect(await stage.stores.disputeWatch.of(stage.accountId)).toEqual([]);
      stage.service.add("i3", 100);
      await stage.pass({ minutes: 6 });
      expect(all(stage)).toBe(3);
    });

    it("S11: off in one server leaves those of the other, and off in all is off", async () => {
      const stage = await open();
      await connect(stage, ELSEWHERE);
      await choose(stage, GUILD, "off");
      stage.service.add("i1", 100);
      await stage.pass({ minutes: 6 });
      expect(stage.told()).toEqual([TITLE.new]);
      stage.hold();
      stage.service.add("i2", 100);
      await stage.pass({ minutes: 6 });
      await choose(stage, ELSEWHERE, "off");
      stage.channels.mishap = undefined;
      const third = await connect(stage, THIRD);
      expect(third.alerts).toBe("off");
      await stage.pass({ minutes: 6 });
      expect(all(stage)).toBe(1);
      await choose(stage, THIRD, "direct");
      await stage.pass({ minutes: 6 });
      expect(stage.told()).toEqual([TITLE.new, TITLE.new]);
    });

    it("S11: what waits when the last server with alerts on goes is told once they are on again", async () => {
      const stage = await open();
      await connect(stage, ELSEWHERE);
      await choose(stage, ELSEWHERE, "off");
      stage.hold();
      stage.service.add("i1", 100);
      await stage.pass({ minutes: 6 });
      await stage.stores.accounts.remove(GUILD, ANA, ANA, stage.clock.now());
      await stage.pass({ minutes: 2 });
      stage.channels.mishap = undefined;
      await choose(stage, ELSEWHERE, "direct");
      await stage.pass({ minutes: 14 });
      expect([stage.told(), all(stage)]).toEqual([[TITLE.new], 1]);
    });

    it("S11: a key that takes the place of another of the same account tells nothing anew", async () => {
      const stage = await open();
      await connect(stage, GUILD);
      stage.service.add("i1", 100);
      await stage.pass({ minutes: 6 });
      const after = await connect(stage, GUILD, { key: OTHER_KEY });
      await stage.pass({ minutes: 10 });
      expect(all(stage)).toBe(1);
      const ref = { watchId: stage.accountId, infractionId: "i1" };
      expect((await stage.wish("snooze")).kind).toBe("snoozed");
      expect(after.watchId).toBe(stage.accountId);
      await expect(stage.reminders.mute({ ...OWNER, userId: BRUNO }, ref)).rejects.toMatchObject({
        reason: { kind: "not_your_dispute" },
      });
    });
  },
);
