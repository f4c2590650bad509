import type { NewDelivery } from "#src/delivery/delivery.ts";
import type { MoneyNeeds } from "#src/withdrawals/money-services.service.ts";
import { createMoney, type Money, moneyNeeds } from "#src/bot-money.ts";
import { MINUTE } from "#src/shared/time.ts";
import type { Stores } from "#src/stores.ts";
import type { WithdrawJournal } from "#src/withdrawals/withdraw-journal.store.ts";
import type { Dice } from "../dice.ts";
import { createModelWallet, type ModelNeeds } from "./model-wallet.ts";
import { createLife, type Life, type LifeOptions, seamed } from "../process-life.ts";
import type { Judge } from "./judge.ts";
import type { VirtualTime } from "../virtual-time.ts";
import type { WatchedJournal } from "./watched-journal.ts";

/** One process of the bot with the real services. */
export interface Bot {
  readonly name: string;
  readonly life: Life;
  readonly money: Money;
}

/** Changes one dependency like a mistake in the services; for planted bugs. */
export type Plant = (needs: MoneyNeeds) => MoneyNeeds;

export interface BotWorld {
  readonly stores: Stores;
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly watched: WatchedJournal;
  readonly model: ModelNeeds;
  readonly plant: Plant;
  readonly reach: LifeOptions["reach"];
  readonly onDeath: (name: string) => void;
  /** Receives the state that a private reply shows; false: the reply is no longer editable. */
  readonly onShown: (opId: string, state: string) => boolean;
  readonly onRetracted: (dedupeKey: string) => void;
  readonly onLock: Judge["onLock"];
  readonly onGhosts: (txids: readonly string[]) => void;
  readonly onBroken: (error: unknown) => void;
  readonly onEnqueued: (delivery: NewDelivery) => void;
}

const isError = (fields: unknown): unknown =>
  typeof fields === "object" && fields !== null && "err" in fields ? fields.err : fields;

export const startBot = (world: BotWorld, name: string): Bot => {
  const { stores, time, dice, watched } = world;
  const life = createLife({
    reach: world.reach,
    sleep: time.sleep,
    onDeath: () => {
      world.onDeath(name);
    },
  });
  const message = (text: string) => () => ({ content: text });
  const bootMs = time.nowMs() - dice.between(0, MINUTE);
  const ghosts: MoneyNeeds["externalWithdrawals"] = {
    ...stores.externalWithdrawals,
    observe: async (...given) => {
      const found = await stores.externalWithdrawals.observe(...given);
      world.onGhosts(found);
      return found;
    },
  };
  const guards: MoneyNeeds["guards"] = {
    ...stores.guards,
    save: async (before, after, ...rest) => {
      const saved = await stores.guards.save(before, after, ...rest);
      const untilMs = after.unlockAt?.epochMilliseconds ?? Infinity;
      if (saved) world.onLock(after.ownerId, after.lockedAt && { untilMs });
      return saved;
    },
  };
  const needs = moneyNeeds(stores, {
    clock: time.clock,
    monotonicMs: () => time.nowMs() - bootMs,
    random: dice,
    log: {
      debug: () => {},
      info: () => {},
      warn: () => {},
      error: (fields: unknown) => {
        const error = isError(fields);
        if (life.isAlive() && !(error instanceof LostCommit)) world.onBroken(error);
      },
    },
    withdrawEnabled: true,
    refundEnabled: true,
    journal: seamed(
      life,
      "journal",
      losingCommits(watched.journal, dice, world.model.truth.terms.bounds.lostCommits),
    ),
    pixKeys: seamed(life, "pixKeys", stores.pixKeys),
    guards: seamed(life, "guards", guards),
    splitBalances: seamed(life, "splitBalances", stores.splitBalances),
    openListings: seamed(life, "openListings", stores.openListings),
    externalWithdrawals: seamed(life, "ghosts", ghosts),
    findWithKey: life.seam("findWithKey", stores.accounts.findWithKey),
    findByFingerprint: life.seam("findByFingerprint", stores.accounts.findByFingerprint),
    connectionsOf: life.seam("connectionsOf", stores.accounts.connectionsOf),
    wallet: seamed(life, "wallet", createModelWallet(world.model, { name, isAlive: life.isAlive })),
    notices: {
      outcome: message("outcome"),
      external: message("ghost"),
      guard: message("guard"),
      restored: message("restored"),
    },
    show: life.seam("show", async ({ op }) => {
      // An order that was never confirmed causes no messages.
      if (op.state === "abandoned") return false;
      await time.sleep(dice.between(50, 400));
      return dice.chance(0.7) && world.onShown(op.id, op.state);
    }),
    enqueue: life.seam("enqueue", async (delivery, at) => {
      await stores.outbox.enqueue(delivery, at);
      world.onEnqueued(delivery);
    }),
    retract: life.seam("retract", async (dedupeKey, at) => {
      const isUntold = await stores.outbox.cancelUnsent(dedupeKey, at);
      world.onRetracted(dedupeKey);
      return isUntold;
    }),
    wake: () => {},
  });
  return { name, life, money: createMoney(world.plant(needs)) };
};

export class LostCommit extends Error {
  override readonly name = "LostCommit";
}

/** A journal that loses commits with that probability; half of the lost commits were made. */
const losingCommits = (
  journal: WithdrawJournal,
  dice: Dice,
  probability: number,
): WithdrawJournal => {
  const losing =
    <Given extends unknown[], Answer>(write: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      const isLost = probability > 0 && dice.chance(probability);
      if (isLost && dice.chance(0.5)) throw new LostCommit("not committed");
      const answer = await write(...given);
      if (isLost) throw new LostCommit("committed");
      return answer;
    };
  return { ...journal, move: losing(journal.move), amend: losing(journal.amend) };
};
