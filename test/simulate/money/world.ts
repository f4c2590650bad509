import type { NewDelivery } from "#src/delivery/delivery.ts";
import { DAY, MINUTE } from "#src/shared/time.ts";
import type { MoneyNeeds } from "#src/withdrawals/money-services.service.ts";
import type { Database } from "#src/schema.ts";
import { createCaretaker } from "./caretaker.ts";
import { type Bot, type BotWorld, startBot } from "./bot.ts";
import { createDirectMessages } from "./direct-messages.ts";
import type { Dice } from "../dice.ts";
import { createJudge, type Known } from "./judge.ts";
import type { ModelNeeds } from "./model-wallet.ts";
import { createPeople, type People } from "./people.ts";
import { GUILD, PEOPLE, walletOf } from "./stage.ts";
import type { StoresStage } from "../stores-stage.ts";
import { createTruth, type Terms, type Truth } from "./truth.ts";
import { createTrace, type Trace } from "../trace.ts";
import { createVirtualTime, type VirtualTime } from "../virtual-time.ts";
import { isLegalStep } from "../../support/legal-steps.ts";
import { watchJournal } from "./watched-journal.ts";
import type { Weather } from "./weather.ts";

export const START = "2026-11-20T12:00:00Z";
/** Longest duration of an operation without further faults: overdue after two days, then an absent owner. */
const DRAIN_MS = 16 * DAY;

export interface WorldOptions {
  readonly stage: StoresStage;
  readonly dice: Dice;
  readonly terms: Terms;
  readonly weather: Weather;
  readonly processes: 1 | 2;
  readonly reach: BotWorld["reach"];
  readonly restartMs: () => number;
  readonly plant: BotWorld["plant"];
  /** Called when an operation becomes unknown; adds further events. */
  readonly onUnknown: (known: Known, world: Pick<World, "time" | "truth">) => void;
}

export interface World extends Pick<Trace, "trace" | "violations"> {
  readonly time: VirtualTime;
  readonly truth: Truth;
  readonly people: People;
  readonly known: ReadonlyMap<string, Known>;
  readonly bots: () => readonly Bot[];
  /** Sets the clock of the bot's machine. */
  readonly setClock: (aheadMs: number) => void;
  readonly run: (forMs: number) => Promise<void>;
  readonly finish: () => Promise<void>;
}

export const createWorld = async (options: WorldOptions): Promise<World> => {
  const { stage, dice, weather, terms } = options;
  const { stores } = stage;
  const time = createVirtualTime(START);
  await stage.begin(time.clock, dice);
  const truth = createTruth(terms, time, dice);
  const { trace, violations, note, violate, onBroken } = createTrace(time.clock);
  const judge = createJudge(
    truth,
    time,
    (rule, known, why) => {
      violate(rule, `${known?.op.id ?? "no operation"} ${why}`);
    },
    (opId) => watched.known.get(opId ?? ""),
  );

  const { vault } = stores;
  const fingerprints = new Map(
    PEOPLE.map(({ apiKey: account }) => [vault.hashWalletUser(account), account] as const),
  );
  const promised = new Set<string>();
  const directMessages = createDirectMessages({
    outbox: stores.outbox,
    time,
    dice,
    violate,
    onBroken,
  });
  const owe = (notice: NewDelivery): void => {
    promised.add(notice.dedupeKey);
    directMessages.onOwed(notice);
  };
  const shown = new Set<string>();
  const caretaker = createCaretaker({
    time,
    dice,
    truth,
    bots: () => bots,
    people: () => people,
    violate,
    onBroken,
  });
  const watched = watchJournal({
    journal: stores.journal,
    judge,
    nowMs: time.nowMs,
    aheadMs: time.aheadMs,
    // A planted bug may split an account's fingerprint by person, or by key.
    accountOf: (fp) => fingerprints.get(fp.split("~")[0] ?? "") ?? fp,
    onChange: (known) => {
      caretaker.onChange(known, watched.known);
    },
    onStep: (known, from) => {
      note(`${known.op.id} ${from} -> ${known.op.state}`);
      caretaker.onStep(known);
      if (from === "rejected") directMessages.onFoundRefused(known.op.id);
      if (known.op.state === "confirmed" && dice.chance(0.03)) void people.lock(known.op.ownerId);
      if (known.op.state === "unknown") options.onUnknown(known, { time, truth });
    },
    onNotices: (notices) => {
      for (const notice of notices) owe(notice);
    },
  });
  const model: ModelNeeds = {
    truth,
    time,
    dice,
    weather,
    judge,
    accountOf: ({ apiKey }) => walletOf(apiKey.reveal()),
    note,
    sending: (account, matches) =>
      [...watched.known.values()].find(
        (known) => known.account === account && known.op.state === "sending" && matches(known),
      ),
  };

  const slots: (Bot | undefined)[] = [];
  let started = 0;
  const bots: Bot[] = [];
  const refresh = (): void => {
    bots.splice(0, bots.length, ...slots.filter((bot) => bot !== undefined));
    caretaker.onBots(watched.known);
  };
  const start = (slot: number): void => {
    const bot = startBot(botWorld(slot), `p${slot}.${++started}`);
    note(`${bot.name} starts`);
    bot.money.sweep(options.processes === 1).then(() => {
      if (!bot.life.isAlive()) return;
      slots[slot] = bot;
      refresh();
    }, onBroken);
  };
  const botWorld = (slot: number): BotWorld => ({
    stores,
    time,
    dice,
    watched,
    model,
    plant: options.plant,
    reach: options.reach,
    onDeath: (name) => {
      note(`${name} dies`);
      slots[slot] = undefined;
      refresh();
      time.after(options.restartMs(), () => {
        start(slot);
      });
    },
    onShown: (opId, state) => {
      shown.add(`withdrawal|${opId}|${state}`);
      return true;
    },
    onRetracted: (key) => {
      const [, opId = "", state] = key.split("|");
      // An owner's decision is shown by the answer to their click.
      const stillSo = watched.known.get(opId)?.op.state === state && state !== "resolved_manual";
      if (stillSo && !shown.has(`withdrawal|${opId}|${state}`))
        violate("M7", `${key} was taken back, and nobody saw it`);
    },
    onLock: judge.onLock,
    onGhosts: (txids) => {
      for (const txid of txids) {
        const own = watched.known.get(truth.rows.get(txid)?.opId ?? "");
        const disowned = own?.adopted === true || own?.op.state === "resolved_manual";
        // A refused and unreadable withdrawal cannot be attributed.
        const unreadable = own?.falselyRefused === true && !judge.couldTell(txid);
        if (own && !disowned && !unreadable)
          violate("G1", `${own.op.id} itself was called a ghost`);
      }
    },
    onBroken,
    onEnqueued: owe,
  });
  const people: People = createPeople({
    time,
    dice,
    anyMoney: () => (bots.length === 0 ? undefined : bots[dice.between(0, bots.length - 1)]?.money),
    isConnected: async (userId) => (await stores.accounts.find(GUILD, userId)) !== undefined,
    violate,
    onBroken,
  });

  for (let slot = 0; slot < options.processes; slot++) start(slot);
  const broken = (): boolean => violations.length > 0;
  return {
    time,
    truth,
    people,
    known: watched.known,
    bots: () => bots,
    trace,
    violations,
    setClock: (aheadMs) => {
      time.setClock(aheadMs);
      note(`the clock is ${aheadMs / MINUTE} minutes ahead`);
      caretaker.onClock(watched.known);
    },
    run: (forMs) => time.run(time.nowMs() + forMs, broken),
    finish: async () => {
      const isOver = (): boolean =>
        [...watched.known.values()].every(({ op }) => caretaker.hasEnded(op));
      await time.run(time.nowMs() + DRAIN_MS, () => broken() || isOver());
      if (broken()) return;
      for (const { op } of watched.known.values()) {
        if (!caretaker.hasEnded(op)) violate("END", `${op.id} is still ${op.state}`);
      }
      await directMessages.settle();
      directMessages.check(watched.known);
      await checkRecords(stage.db, watched.known, promised, violate);
    },
  };
};

export const noPlant = (needs: MoneyNeeds): MoneyNeeds => needs;

const checkRecords = async (
  db: Database,
  known: ReadonlyMap<string, Known>,
  promised: ReadonlySet<string>,
  violate: (rule: string, why: string) => void,
): Promise<void> => {
  const ops = await db.selectFrom("withdraw_op").select(["id", "state", "version"]).execute();
  if (ops.length !== known.size) violate("M6", `${ops.length} operations kept of ${known.size}`);
  const events = await db.selectFrom("withdraw_event").selectAll().orderBy("seq").execute();
  const byOp = Map.groupBy(events, ({ op_id }) => op_id);
  for (const { id, state } of ops) {
    const seen = known.get(id)?.op.state;
    if (seen !== state) violate("M6", `${id} is ${state}, and was seen to be ${seen ?? "nothing"}`);
    let last: string | null = null;
    for (const { from_state, to_state } of byOp.get(id) ?? []) {
      const legal = from_state === null || isLegalStep(from_state, to_state);
      if (from_state !== last || !legal) violate("M6", `${id} has an event out of line`);
      last = to_state;
    }
    if (last !== state)
      violate("M6", `${id} is ${state}, and its events end with ${last ?? "none"}`);
  }
  const kept = await db.selectFrom("outbox").select("dedupe_key").execute();
  const keys = new Set(kept.map(({ dedupe_key }) => dedupe_key));
  for (const key of promised) {
    if (!keys.has(key)) violate("M7", `${key} was promised and is not kept`);
  }
};
