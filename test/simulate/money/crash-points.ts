import type { WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import type { WithdrawOrder } from "#src/withdrawals/money-services.service.ts";
import { HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import { cents } from "#src/shared/money.ts";
import { createDice } from "../dice.ts";
import { TAME } from "./bounds.ts";
import { KEYS } from "./people.ts";
import { PEOPLE } from "./stage.ts";
import type { StoresStage } from "../stores-stage.ts";
import type { Terms } from "./truth.ts";
import type { Fate, Weather } from "./weather.ts";
import { createWorld, noPlant, type World } from "./world.ts";

export type Story = "turbo" | "normal" | "split" | "cancel";

export interface CrashCase {
  readonly story: Story;
  readonly fate: Fate;
  readonly processes: 1 | 2;
  /** The process dies at this point, counted over all its outside calls; undefined: it survives. */
  readonly diesAt: number | undefined;
}

interface CrashOutcome {
  readonly violations: readonly string[];
  /** Points passed; the process may die at each. */
  readonly points: number;
  readonly point: string | undefined;
  readonly trace: readonly string[];
}

const TERMS: Terms = {
  bounds: TAME,
  oneInADay: false,
  oneAtATime: true,
  failing: 0,
  salesAnHour: 0,
  longestPlanMs: 2 * HOUR,
};
const [ANA] = PEOPLE;

const weatherOf = (fateOf: () => Fate): Weather => ({
  fate: fateOf,
  fails: () => false,
  latencyMs: () => 100,
  dated: true,
  measuresSkew: true,
  splitReadable: true,
  splitListed: true,
  holdMs: () => 0,
});

const orderOf = (story: Story): Omit<WithdrawOrder, "actor"> => ({
  what:
    story === "split"
      ? { kind: "split", recipientId: "444444444444444444" }
      : { kind: "own", amount: cents(2_500) },
  pixKey: KEYS[0],
  turbo: story === "turbo" || story === "split",
});

const live = async (world: World, story: Story, onBegun: () => void): Promise<void> => {
  const { people, truth } = world;
  // Earlier rows, to fill the list's page.
  for (let row = 0; row < 6; row++) {
    const before = {
      account: ANA.apiKey,
      pixKey: "old@example.com",
      turbo: true,
      amount: cents(1_000),
    };
    truth.place({ ...before, opId: undefined });
    await world.run(HOUR);
  }
  onBegun();
  void people.order(ANA.userId, orderOf(story));
  await world.run(2 * MINUTE);
  if (story === "cancel") {
    const row = [...truth.rows.values()].find(({ opId }) => opId !== undefined);
    if (row !== undefined) void people.cancel(ANA.userId, row.txid);
  }
  await world.run(MINUTE);
  await world.finish();
};

/** With a readable service the bot must find the truth by itself, without its owner. */
const agree = ({ known, truth }: World): readonly string[] =>
  [...known.values()].flatMap(({ op, cancelled }) => {
    const row = truth.executedFor(op.id)[0];
    const happened: WithdrawState = row?.status === "cancelled" ? "cancelled" : "completed";
    const did = op.kind === "cancel" ? cancelled > 0 : row !== undefined;
    // A request may be executed late: without a trace only its owner can deny it.
    const byOwner = op.resolution === "did_not_happen";
    const didNot = ["abandoned", "refused_local", "rejected", "not_sent", "not_executed", "failed"];
    if (did ? op.state === happened : byOwner || didNot.includes(op.state)) return [];
    return [`${op.id} ended ${op.state}, and it ${did ? "happened" : "did not happen"}`];
  });

/** One withdrawal with one request outcome and one death of the process, until its end. */
export const liveThrough = async (
  stage: StoresStage,
  { story, fate, processes, diesAt }: CrashCase,
): Promise<CrashOutcome> => {
  // The scenario excludes all other actions.
  const dice = { ...createDice(1), chance: (probability: number) => probability >= 0.7 };
  let requests = 0;
  let points = 0;
  let died: string | undefined;
  let begunMs = Infinity;
  // After an hour every half-hourly reading is alike.
  const hasSettled = (): boolean => timeOf() > begunMs + HOUR;
  let timeOf = (): number => 0;
  const judged = story === "cancel" ? 2 : 1;
  const world = await createWorld({
    stage,
    dice,
    terms: TERMS,
    weather: weatherOf(() => (++requests === judged ? fate : "answered")),
    processes,
    reach: (point) => {
      if (hasSettled()) return { dies: false, holdMs: 0 };
      points++;
      const dies = points === diesAt;
      if (dies) died = point;
      return { dies, holdMs: 0 };
    },
    restartMs: () => 10 * SECOND,
    plant: noPlant,
    onUnknown: () => {},
  });
  timeOf = world.time.nowMs;
  await live(world, story, () => {
    begunMs = world.time.nowMs();
  });
  const violations = [...world.violations, ...(world.violations.length > 0 ? [] : agree(world))];
  return { violations, points, point: died, trace: world.trace };
};
