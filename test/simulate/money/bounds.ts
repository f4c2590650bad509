import { DAY, HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import type { Dice } from "../dice.ts";
import type { TrueWithdrawal } from "./truth.ts";
import type { Fate } from "./weather.ts";

/** Behaviour of the service beyond the times and forms that the bot relies on; each bound can be tested alone. */
const boundNames = [
  "lateness",
  "list_lag",
  "hidden_rows",
  "shown_keys",
  "refusals",
  "lost_commits",
  "skew",
] as const;
type BoundName = (typeof boundNames)[number];
/** `tame`: no bound exceeded. */
export type BoundChoice = BoundName | "all" | "tame";

export interface Bounds {
  /** Longest delay between a lost request and its effect. */
  readonly latestMs: number;
  readonly listLagMs: number;
  /** The list's visible rows; takes and gives them newest first. */
  readonly listed: (rows: readonly TrueWithdrawal[]) => readonly TrueWithdrawal[];
  readonly shownKey: (pixKey: string) => string;
  readonly frequent: readonly Fate[];
  readonly lostCommits: number;
  readonly skewMs: number;
  readonly ownerAwayMs: number;
}

const hide = (key: string, character: string, first: number, last: number): string =>
  Array.from(key, (shown, index) =>
    index < first || index >= key.length - last || !/[0-9a-z]/i.test(shown) ? shown : character,
  ).join("");

/** Ways to write a PIX key; the service uses one of them for all keys. */
const keyForms: readonly [(key: string) => string, ...((key: string) => string)[]] = [
  (key) => hide(key, "*", 1, 0),
  (key) => hide(key, "*", 3, 4),
  (key) => hide(key, "•", 1, 4),
  (key) => hide(key, "#", 1, 4),
  (key) => hide(key, "X", 3, 3),
  (key) => hide(key, "x", 3, 3),
  (key) => hide(key, "_", 3, 3),
  (key) => hide(key, "?", 3, 3),
  (key) => `${key.slice(0, 2)}...${key.slice(-11)}`,
  (key) => `${key.slice(0, 3)}…${key.slice(-4)}`,
  (key) => `final ${key.slice(-4)}`,
  (key) => key.slice(-4),
  (key) => key.slice(1),
  (key) => key.toUpperCase(),
  (key) => `Chave ${key}`,
  (key) => Array.from(key).join(" "),
  (key) => key.replace(/[^0-9a-z]/gi, ""),
  () => "****",
  () => "chave cadastrada",
  () => "",
];

const isOpen = ({ status }: TrueWithdrawal): boolean =>
  status === "scheduled" || status === "processing";

const drawListed = (dice: Dice): Bounds["listed"] => {
  const skipped = dice.between(1, 3);
  return dice.pick<Bounds["listed"]>([
    (rows) => rows.filter((row) => !isOpen(row)),
    (rows) => rows.filter(({ status }) => status !== "processing"),
    (rows) => rows.filter(({ status }) => status !== "scheduled"),
    (rows) => rows.slice(skipped),
    (rows) => rows.toReversed(),
  ]);
};

/** Bounds outside of the choice are tame, like those of a well-behaved service. */
export const drawBounds = (dice: Dice, choice: BoundChoice): Bounds => {
  const isWild = (name: BoundName): boolean =>
    choice === name || (choice === "all" && dice.chance(0.35));
  const late = isWild("lateness");
  return {
    latestMs: late ? dice.spread(6 * MINUTE, 36 * HOUR) : 6 * MINUTE,
    listLagMs: isWild("list_lag")
      ? dice.spread(MINUTE, 30 * HOUR)
      : dice.chance(0.7)
        ? 0
        : dice.between(SECOND, 2 * MINUTE),
    listed: isWild("hidden_rows") ? drawListed(dice) : (rows) => rows,
    shownKey: isWild("shown_keys") ? dice.pick(keyForms) : (key) => key,
    frequent: [
      ...(late ? ["late" as const] : []),
      ...(isWild("refusals") ? (["conflict_after", "refused_after"] as const) : []),
    ],
    lostCommits: isWild("lost_commits") ? dice.fraction() * 0.15 : 0,
    skewMs: isWild("skew")
      ? dice.between(-26 * HOUR, 26 * HOUR)
      : dice.chance(0.3)
        ? 0
        : dice.between(-5 * MINUTE, 5 * MINUTE),
    ownerAwayMs: dice.pick([12 * HOUR, 12 * HOUR, 6 * DAY]),
  };
};

/** An ordinary service and owner, for scenarios told in full. */
export const TAME: Bounds = {
  latestMs: 6 * MINUTE,
  listLagMs: 0,
  listed: (rows) => rows,
  shownKey: (key) => key,
  frequent: [],
  lostCommits: 0,
  skewMs: 90 * SECOND,
  ownerAwayMs: 12 * HOUR,
};

/** `SIMULATE_BOUND=lateness` tests one bound alone. */
export const chosenBound = (): BoundChoice => {
  const asked = process.env["SIMULATE_BOUND"] ?? "all";
  const choices: readonly BoundChoice[] = [...boundNames, "all", "tame"];
  const chosen = choices.find((choice) => choice === asked);
  if (chosen === undefined) throw new Error(`SIMULATE_BOUND is one of ${choices.join(", ")}`);
  return chosen;
};
