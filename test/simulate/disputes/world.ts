import { MINUTE, SECOND } from "#src/shared/time.ts";
import type { Dice } from "../dice.ts";
import { createTrace, type Trace } from "../trace.ts";
import { createVirtualTime, type VirtualTime } from "../virtual-time.ts";
import { type Bot, type BotParts, type BotWorld, type Plant, startBot } from "./bot.ts";
import { createOwedJudge, type OwedJudge } from "./judge-owed.ts";
import { createPostJudge } from "./judge-posts.ts";
import { cleanUntil, LAST_CALL_MS } from "./known-truth.ts";
import { createLedger, type Ledger, type Row } from "./ledger.ts";
import type { ModelDiscord } from "./model-discord.ts";
import { createSurroundings, isAway } from "./surroundings.ts";
import type { DisputePorts, DisputeStage } from "./stage.ts";
import { createPulse, type Pulse } from "./pulse.ts";
import { createTruth, type Truth } from "./truth.ts";
import { watchPorts } from "./watched-ports.ts";
import type { Weather } from "./weather.ts";
import { LADDER } from "./rules.ts";

export const START = "2026-11-20T12:00:00Z";

interface WorldOptions {
  readonly stage: DisputeStage;
  readonly dice: Dice;
  readonly weather: Weather;
  readonly processes: 1 | 2;
  readonly reach: BotWorld["reach"];
  readonly restartMs: () => number;
  readonly plant: Plant;
  readonly everyMinute: boolean;
}

export interface World extends Omit<Trace, "onBroken"> {
  readonly time: VirtualTime;
  readonly truth: Truth;
  readonly ledger: Ledger;
  readonly discord: ModelDiscord;
  /** The ports as commands use them: each call is one step, without crashes. */
  readonly ports: DisputePorts;
  readonly bots: () => readonly Bot[];
  /** Merchant by API key; the service refuses a removed key. */
  readonly keys: Map<string, string>;
  readonly pulse: Pulse;
  readonly touch: (merchant: string) => void;
  readonly run: (forMs: number) => Promise<void>;
}

export const createWorld = async (options: WorldOptions): Promise<World> => {
  const { stage, dice, weather } = options;
  const time = createVirtualTime(START);
  await stage.begin(time.clock, dice);
  const { trace, violations, note, violate, onBroken } = createTrace(time.clock);

  const ledger = createLedger(time.nowMs);
  const keys = new Map<string, string>();
  const owners = new Map<string, string>();
  const failures = new Map<string, number>();
  const bots: Bot[] = [];

  const rowsOf = (merchant: string): readonly Row[] =>
    [...ledger.rows.values()].filter((row) => row.merchant === merchant && !row.isGone);
  const disturbAll = (): void => {
    for (const row of ledger.rows.values()) owed.disturb(row, "patient");
  };
  const touch = (merchant: string): void => {
    for (const row of rowsOf(merchant)) {
      pulse.touch(row.id);
      owed.disturb(row, "prompt");
    }
  };
  const truth = createTruth(time.nowMs, (dispute, isMove) => {
    const { status, analysis, dueMs } = truth.now(dispute);
    const due = new Date(dueMs).toISOString();
    note(`${dispute.id} of ${dispute.merchant} is ${status}, ${analysis}, due ${due}`);
    planTurns(dueMs, { time, pulse, rowsOf: () => rowsOf(dispute.merchant), owed }, () => {
      touch(dispute.merchant);
    });
    touch(dispute.merchant);
    if (isMove) for (const row of rowsOf(dispute.merchant)) owed.disturb(row, "moved");
  });
  const pulse = createPulse({
    time,
    everyMinute: options.everyMinute,
    beat: () => {
      for (const bot of bots) {
        time.after(dice.between(0, 900), () => void pulse.catchUp().then(bot.beat, onBroken));
      }
    },
    routeOf: (accountId) => ledger.routeAt(ledger.rows.get(accountId)?.guildId ?? "", time.nowMs()),
    skipPolls: (accountId, at) => stage.ports.skipPolls(accountId, at),
  });
  const owed: OwedJudge = createOwedJudge({
    ledger,
    nowMs: time.nowMs,
    after: (delayMs, work) => void time.after(delayMs, work),
    disputesOf: truth.of,
    isWell: (row) =>
      bots.length > 0 &&
      !row.isPaused &&
      keys.has(owners.get(row.id) ?? "") &&
      !isAway(row, ledger, weather, time.nowMs()),
    listReadable: (sinceMs) =>
      weather.walletAway("list", sinceMs) === undefined &&
      weather.walletAway("list", time.nowMs()) === undefined,
    violate,
  });
  const posts = createPostJudge({
    ledger,
    nowMs: time.nowMs,
    disputeOf: (infractionId) => truth.disputes.get(infractionId),
    lastFailureMs: (accountId, infractionId) => failures.get(`${accountId} ${infractionId}`),
    violate,
  });
  for (const atMs of weather.turns) {
    if (atMs > time.nowMs() && atMs < Infinity) {
      time.after(atMs - time.nowMs(), () => {
        disturbAll();
        pulse.stir(time.nowMs());
      });
    }
  }

  const shared = { truth, time, dice, weather, keys, ledger, owners, note };
  const { wallet, discord } = createSurroundings({
    ...shared,
    onPost: posts.onMessage,
    onReadFailed: (accountId, infractionId) => {
      failures.set(`${accountId} ${infractionId}`, time.nowMs());
    },
    onTrouble: (row) => {
      if (row) owed.disturb(row, "patient");
      else disturbAll();
    },
  });
  const watched = watchPorts(stage.ports, ledger, {
    stir: pulse.stir,
    nowMs: time.nowMs,
    note,
    violate,
    merchantOf: (apiKey) => apiKey.split("/")[0] ?? "",
    onChanged: (accountId) => {
      const row = ledger.rows.get(accountId);
      if (row) owed.disturb(row, "prompt");
    },
    onWord: pulse.touch,
    onPollTaken: (accountId, { nextPollAt }) => {
      pulse.onPollTaken(accountId, nextPollAt.epochMilliseconds);
    },
    onPollSaved: (accountId, { nextPollAt }) => {
      const untilMs = cleanUntil(accountId, shared, time.nowMs());
      pulse.onPollSaved(accountId, nextPollAt.epochMilliseconds, untilMs);
    },
  });
  const people = watched.of("person");
  const learnsKey: DisputePorts["accounts"]["save"] = async (account, apiKey, walletUserId) => {
    const saved = await people.accounts.save(account, apiKey, walletUserId);
    owners.set(saved.id, apiKey.reveal());
    pulse.onPollSaved(saved.id, time.nowMs(), time.nowMs());
    pulse.stir(time.nowMs());
    return saved;
  };

  const parts: BotParts = {
    jobs: watched.of("job"),
    people,
    wallet,
    posting: discord.posting,
    stillTrue: undefined,
  };
  time.after(1, () => {
    startProcesses({ ...options, time, parts, pulse, note, onBroken, onChange: disturbAll }, bots);
  });
  return {
    time,
    truth,
    ledger,
    discord,
    ports: { ...people, accounts: { ...people.accounts, save: learnsKey } },
    bots: () => bots,
    keys,
    pulse,
    touch,
    trace,
    violations,
    note,
    violate,
    run: (forMs) => time.run(time.nowMs() + forMs, () => violations.length > 0),
  };
};

interface TurnNeeds {
  readonly time: VirtualTime;
  readonly pulse: Pulse;
  readonly rowsOf: () => readonly Row[];
  readonly owed: OwedJudge;
}

/** Plans the turning points of a deadline: all processes beat then, because an alert may become due. */
const planTurns = (
  dueMs: number,
  { time, pulse, rowsOf, owed }: TurnNeeds,
  touch: () => void,
): void => {
  for (const beforeMs of [...LADDER.map(([, ms]) => ms), 0]) {
    const atMs = dueMs - beforeMs;
    if (atMs < time.nowMs()) continue;
    pulse.stir(atMs);
    time.after(atMs - time.nowMs(), () => {
      for (const row of rowsOf()) owed.disturb(row, "prompt");
      // From here a reading decides whether the acknowledgement holds.
      if (beforeMs === 0 || beforeMs === LAST_CALL_MS) touch();
    });
  }
};

interface ProcessNeeds extends Omit<BotWorld, "onDeath" | "onBusy"> {
  readonly time: VirtualTime;
  readonly pulse: Pulse;
  readonly processes: 1 | 2;
  readonly restartMs: () => number;
  readonly onChange: () => void;
  readonly note: (text: string) => void;
}

/** Starts processes that restart after their death; `bots` holds the living ones. */
const startProcesses = (needs: ProcessNeeds, bots: Bot[]): void => {
  const { time, pulse, note } = needs;
  const slots: (Bot | undefined)[] = [];
  let started = 0;
  // A long delay of a process counts as a disturbance of all accounts.
  const reach: BotWorld["reach"] = (point) => {
    const reached = needs.reach(point);
    if (reached.holdMs > SECOND) needs.onChange();
    return reached;
  };
  const refresh = (): void => {
    bots.splice(0, bots.length, ...slots.filter((bot) => bot !== undefined));
    needs.onChange();
  };
  const start = (slot: number): void => {
    if (bots.length === 0) pulse.onLife();
    const name = `p${slot}.${++started}`;
    note(`${name} starts`);
    const onDeath = (): void => {
      note(`${name} dies`);
      slots[slot] = undefined;
      refresh();
      time.after(needs.restartMs(), () => {
        start(slot);
      });
    };
    const onBusy = (): void => {
      pulse.stir(time.nowMs() + 1);
    };
    const bot = startBot({ ...needs, reach, onDeath, onBusy }, name);
    slots[slot] = bot;
    refresh();
    bot.beat();
    pulse.stir(time.nowMs() + MINUTE);
  };
  for (let slot = 0; slot < needs.processes; slot++) start(slot);
};
