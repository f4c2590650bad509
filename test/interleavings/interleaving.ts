import { READING_MS } from "#src/withdrawals/withdraw-draft.service.ts";
import { isLocking, type WithdrawOp, type WithdrawState } from "#src/withdrawals/withdraw-op.ts";
import { isLegalStep } from "../support/legal-steps.ts";
import type { Dice } from "../simulate/dice.ts";
import { createAttempts, type Attempt, type Waiting } from "./attempts.ts";
import { type Draft, openShop, waitingFor } from "./shop.ts";
import type { InterleavingStage } from "./stage.ts";

const CONFIRMATION_LIFE_MS = 121_000;
const NEVER_EXECUTED: readonly WithdrawState[] = [
  "draft",
  "abandoned",
  "refused_local",
  "rejected",
  "not_sent",
];

interface Interleaving {
  readonly attempts: readonly Attempt[];
  readonly confirmed: number;
  readonly executed: number;
  readonly findings: readonly string[];
}

/** Sends the interactions to both processes at once, in a random order. */
const letLoose = async (
  { discord, routers, yields }: InterleavingStage,
  dice: Dice,
  attempts: readonly Attempt[],
): Promise<void> => {
  for (const { raw, refusal } of attempts)
    if (refusal !== undefined) discord.refuse(raw.id, refusal);
  await Promise.all(
    attempts.map(async ({ raw }) => {
      for (let waits = dice.between(0, 4); waits > 0; waits--) await yields();
      await routers[dice.between(0, routers.length - 1)]?.(raw, performance.now());
    }),
  );
};

/** Whether only the owner's own confirmation decides about this draft. */
const isUndisturbed = (
  { opId, pin }: Waiting,
  { alone }: Draft,
  attempts: readonly Attempt[],
): boolean =>
  alone &&
  !attempts.some(({ permits }) => permits?.opId === opId && permits.step === "abandon") &&
  // Wrong PINs lock it.
  pin === undefined;

const findingsOf = (
  before: WithdrawOp,
  after: WithdrawOp,
  permitted: ReadonlySet<"confirm" | "abandon">,
): readonly string[] => {
  const moved = after.state !== "draft";
  const left = before.confirmationsLeft - after.confirmationsLeft;
  const confirmed = left > 0 || (moved && after.state !== "abandoned");
  return [
    ...(confirmed && !permitted.has("confirm") ? [`confirmed by nobody: ${after.state}`] : []),
    ...(left > 1 ? ["confirmed twice at once"] : []),
    ...(confirmed && before.confirmationsLeft > 1 && moved ? ["sent after one of two"] : []),
    ...(after.state === "abandoned" && !permitted.has("abandon") ? ["given up by nobody"] : []),
  ];
};

/** Whether the journal's events are legal and match the wallet's requests. */
const storyOf = async (
  { stores, wallet }: InterleavingStage,
  { opId, amount }: Draft,
): Promise<readonly string[]> => {
  const op = await stores.journal.find(opId);
  const events = await stores.journal.events(opId);
  const posts = wallet.posts.filter((post) => post.amount === amount);
  const findings: string[] = [];
  for (const [index, { from, to }] of events.entries()) {
    const previous = events[index - 1]?.to;
    if (from !== previous) findings.push(`${from} does not follow ${previous}`);
    if (from !== undefined && !isLegalStep(from, to)) findings.push(`illegal: ${from} to ${to}`);
  }
  if (op === undefined || events.at(-1)?.to !== op.state) findings.push("state and events differ");
  if (posts.length > 1) findings.push(`${posts.length} requests`);
  const sent = events.some(({ to }) => to === "sending");
  if (sent !== (posts.length === 1)) findings.push(`sending is ${sent}, requests ${posts.length}`);
  const executed = posts.some((post) => post.executed);
  if (op !== undefined && executed && NEVER_EXECUTED.includes(op.state))
    findings.push(`executed and ${op.state}`);
  if (op !== undefined && isLocking(op)) {
    const locking = (await stores.journal.openOf(op.accountFp)).filter(isLocking);
    if (locking.length > 1) findings.push(`two lock: ${locking.map(({ id }) => id).join(" and ")}`);
  }
  return findings;
};

/** One seeded mix of clicks by owners, strangers and machines; compares the effects with the permitted steps. */
export const interleave = async (
  stage: InterleavingStage,
  dice: Dice,
  seed: number,
): Promise<Interleaving> => {
  const shop = await openShop(stage, dice, seed);
  const { journal } = stage.stores;
  const findings: string[] = [];
  const all: Attempt[] = [];
  let confirmed = 0;
  let waiting = shop;

  const phase = async (): Promise<void> => {
    const isLate = dice.fraction() < 0.1;
    const passedMs = isLate ? CONFIRMATION_LIFE_MS : READING_MS;
    stage.clock.set(stage.clock.now().add({ milliseconds: passedMs }));
    const make = createAttempts(dice, stage.clock);
    const attempts: Attempt[] = [];
    for (let count = dice.between(6, 14); count > 0; count--) {
      const about = make.pick(waiting).waiting;
      const others = shop.filter((each) => each.waiting.ownerId !== about.ownerId);
      attempts.push(
        make.next(
          about,
          others.map((other) => other.waiting),
          [...all, ...attempts],
        ),
      );
    }
    const before = new Map<string, WithdrawOp | undefined>();
    for (const { draft } of shop) before.set(draft.opId, await journal.find(draft.opId));
    await letLoose(stage, dice, attempts);
    all.push(...attempts);

    for (const { draft, waiting: shown } of waiting) {
      const was = before.get(draft.opId);
      const is = await journal.find(draft.opId);
      if (was === undefined || is === undefined) throw new Error(`${draft.opId} is gone`);
      const steps = attempts.flatMap(({ permits }) =>
        permits?.opId === draft.opId ? [permits.step] : [],
      );
      const permitted = new Set(isLate ? (["abandon"] as const) : steps);
      const story = [...findingsOf(was, is, permitted), ...(await storyOf(stage, draft))];
      const took = was.confirmationsLeft > is.confirmationsLeft;
      if (took) confirmed++;
      const clear = attempts.some(
        ({ label, permits }) => label === "confirm" && permits?.opId === draft.opId,
      );
      if (clear && !isLate && !took && isUndisturbed(shown, draft, attempts))
        story.push(`its owner's click did nothing: ${is.state}`);
      const told = attempts.map(
        ({ label, permits }) => `${label}${permits === undefined ? "" : "!"}`,
      );
      findings.push(
        ...story.map((what) => `seed ${seed} ${draft.opId}: ${what} [${told.join(", ")}]`),
      );
    }
  };

  await phase();
  const ids = all.map(({ raw }) => raw.id);
  const next: { draft: Draft; waiting: Waiting }[] = [];
  for (const { draft, waiting: first } of shop) {
    const second = await waitingFor(stage, draft, ids);
    if (second !== undefined && second.token !== first.token) next.push({ draft, waiting: second });
  }
  if (next.length > 0) {
    waiting = next;
    await phase();
  }
  const amounts = new Set(shop.map(({ draft }) => draft.amount));
  const executed = stage.wallet.posts.filter(
    (post) => post.executed && post.amount !== undefined && amounts.has(post.amount),
  ).length;
  return { attempts: all, confirmed, executed, findings };
};
