import type { DestinationChoice } from "#src/accounts/account.ts";
import { alertSteps, type ChosenAlertRoute } from "#src/disputes/dispute-alert.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import { Secret } from "#src/shared/secret.ts";
import { UserError, WalletError } from "#src/shared/errors.ts";
import type { Dice } from "../dice.ts";
import type { Told } from "./ledger.ts";
import { ZONES } from "./rules.ts";
import type { World } from "./world.ts";
import { asRoute } from "../../support/samples.ts";

const GUILD = "700000000000000001";
export const CHANNELS = ["800000000000000001", "800000000000000002"] as const;
const ROLES = ["900000000000000001", "900000000000000002"] as const;
const ADMIN = "100000000000000009";

export interface Seller {
  readonly userId: string;
  readonly merchant: string;
}

/** Ana and Bruno in one guild, Carla alone in another. */
export const SELLERS: readonly [Seller, Seller, Seller] = [
  { userId: "100000000000000001", merchant: "ana" },
  { userId: "100000000000000002", merchant: "bruno" },
  { userId: "100000000000000003", merchant: "carla" },
];

export interface Sellers {
  readonly connect: (seller: Seller, apiKey: string) => Promise<void>;
  readonly choose: (seller: Seller) => Promise<void>;
  readonly saveRoute: () => Promise<void>;
  /** The action of an owner who reads an alert, or thinks of a dispute. */
  readonly react: (told: Pick<Told, "accountId" | "infractionId">) => Promise<void>;
  readonly follow: (seller: Seller, infractionId: string) => Promise<void>;
  readonly loseKey: (seller: Seller) => Promise<void>;
}

const guildOf = ({ merchant }: Seller): string => (merchant === "carla" ? `${GUILD}9` : GUILD);

export const createSellers = (
  world: World,
  dice: Dice,
  shares: (seller: Seller) => string,
): Sellers => {
  const { time, ports, bots, keys, ledger, truth, note } = world;
  let made = 0;

  const anyBot = () =>
    bots().length === 0 ? undefined : bots()[dice.between(0, bots().length - 1)];
  const ask = async (what: string, work: () => Promise<unknown> | undefined): Promise<void> => {
    try {
      note(what);
      await work();
    } catch (error) {
      const isRefusal = error instanceof UserError || error instanceof WalletError;
      if (!isRefusal) world.violate("X", error instanceof Error ? (error.stack ?? "") : "thrown");
    }
  };
  const rowOf = ({ userId }: Seller) =>
    [...ledger.rows.values()].find((row) => row.ownerId === userId && !row.isGone);

  const connect: Sellers["connect"] = async (seller, apiKey) => {
    keys.set(apiKey, shares(seller));
    const account = {
      guildId: guildOf(seller),
      ownerId: seller.userId,
      connectedBy: seller.userId,
      ownerVerified: dice.chance(0.8),
      reportConsent: false,
      reportConsentAt: undefined,
      connectedAt: time.clock.now(),
      locale: dice.chance(0.8) ? ("pt-BR" as const) : ("en-US" as const),
    };
    await ports.accounts.save(account, new Secret(apiKey), apiKey);
    note(`${seller.merchant} connects ${apiKey}`);
  };

  const quiet = (): ChosenAlertRoute["quiet"] => {
    if (dice.chance(0.4)) return undefined;
    const [from, to] = dice.pick([
      ["22:00", "07:00"],
      ["23:30", "06:00"],
      ["12:00", "14:00"],
      ["00:00", "08:00"],
    ]);
    if (from === undefined || to === undefined) return undefined;
    return { from: Temporal.PlainTime.from(from), to: Temporal.PlainTime.from(to) };
  };

  return {
    connect,
    choose: async (seller) => {
      const alerts = dice.pick<DestinationChoice>(["channel", "channel", "direct", "off"]);
      note(`${seller.merchant} chooses ${alerts}`);
      await ports.accounts.setAlerts(guildOf(seller), seller.userId, alerts, time.clock.now());
    },
    saveRoute: async () => {
      const route: ChosenAlertRoute = {
        guildId: GUILD,
        channelId: dice.pick(CHANNELS),
        roleId: dice.chance(0.7) ? dice.pick(ROLES) : undefined,
        pingSteps: alertSteps.filter(() => dice.chance(0.5)),
        quiet: quiet(),
        timeZone: dice.pick(Object.keys(ZONES) as [string]),
        slowNights: dice.chance(0.3),
        active: dice.chance(0.85),
        liftsSuspension: true,
        locale: "pt-BR",
        updatedBy: ADMIN,
      };
      const { from, to } = route.quiet ?? {};
      note(
        `route ${route.active ? route.channelId : "off"}, quiet ${String(from)} to ${String(to)}`,
      );
      await ports.routes.save(...asRoute(route), time.clock.now());
    },
    react: async ({ accountId, infractionId }) => {
      const row = ledger.rows.get(accountId);
      const dispute = truth.disputes.get(infractionId);
      if (row === undefined || dispute === undefined) return;
      const ref = { watchId: accountId, infractionId };
      const actor = { guildId: row.guildId, userId: row.ownerId, locale: "pt-BR" as const };
      const stranger = { ...actor, userId: ADMIN };
      const what = dice.between(0, 9);
      if (what < 3) {
        // A true acknowledgement: the answer comes some minutes before or after it.
        const answers = (): void => {
          const { status, analysis } = truth.now(dispute);
          if (status === "pending" && analysis === "pending") {
            truth.change(dispute, { status: dice.chance(0.8) ? "disagreed" : "agreed" });
          }
        };
        time.after(dice.spread(SECOND, 14 * MINUTE), answers);
      }
      if (what < 5) await ask(`mute ${infractionId}`, () => anyBot()?.services.mute(actor, ref));
      else if (what < 8)
        await ask(`snooze ${infractionId}`, () => anyBot()?.services.snooze(actor, ref));
      else await ask("a stranger", () => anyBot()?.services.mute(stranger, ref));
    },
    follow: async (seller, infractionId) => {
      const actor = { guildId: guildOf(seller), userId: seller.userId, locale: "pt-BR" as const };
      await ask(`follow ${infractionId}`, () => anyBot()?.services.detail(actor, infractionId));
    },
    loseKey: async (seller) => {
      const row = rowOf(seller);
      const key = row && (await ports.accounts.apiKey(row.id));
      if (row === undefined || key === undefined) return;
      const apiKey = key.reveal();
      keys.delete(apiKey);
      note(`${apiKey} is refused`);
      world.touch(row.merchant);
      await time.sleep(dice.spread(10 * MINUTE, 3 * DAY));
      await connect(seller, dice.chance(0.4) ? apiKey : `${row.merchant}/${++made}`);
      world.touch(row.merchant);
      await time.sleep(HOUR);
    },
  };
};
