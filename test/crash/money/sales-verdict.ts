import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import type { LocalCharge } from "#src/sandbox/wallet/charges.ts";
import type { ChargeState } from "#src/charges/charge.ts";

/** The columns of a stored charge, and the state of its card's delivery, that the verdict needs. */
export interface ChargeRow {
  readonly ownerId: string;
  readonly amountCents: number;
  readonly state: ChargeState;
  readonly isUnclear: boolean;
  readonly txid: string | undefined;
  readonly card: string | undefined;
  /** Of the card, for a reader of findings. */
  readonly delivery: string;
}

/** What one seller sold, with amounts that are unique in the run, and what the seller was told of it. */
export interface SellerBook {
  readonly ownerId: string;
  /** At the service. */
  readonly charges: readonly LocalCharge[];
  /** Amounts of approved sales, also of those that were refunded since. */
  readonly sold: readonly number[];
  readonly refunded: readonly number[];
  readonly directMessages: readonly StoredMessage[];
  /** Answers that the seller alone sees. */
  readonly answers: () => readonly StoredMessage[];
}

export interface ChargeVerdict {
  /** At the service. */
  readonly charges: number;
  readonly paid: number;
  readonly expired: number;
  /** Answers that were lost; the service has no charge. */
  readonly missing: number;
  /** Answers that were lost of a charge that was paid before it was found: the seller is sent to the dashboard. */
  readonly unclear: number;
  /** Answers that were lost; the bot could not look for the charge for three days. */
  readonly unfollowed: number;
  readonly refused: number;
  readonly cards: number;
  /** Cards that were not posted within the hour. */
  readonly lateCards: number;
  readonly double: number;
  readonly wrong: number;
  readonly endless: number;
  readonly untold: number;
  readonly toldTwice: number;
  readonly findings: readonly string[];
}

export interface NoticeVerdict {
  /** Sales and refunds. */
  readonly events: number;
  /** Notices that told several, or a number alone. */
  readonly grouped: number;
  /** Sales and refunds told by their number alone, while the sales report stood in for the list. */
  readonly byNumber: number;
  readonly untold: number;
  readonly toldTwice: number;
  readonly findings: readonly string[];
}

/** First words that tell the end of a charge, in a direct message and on its card. */
const ENDS = {
  paid: "Pago",
  refunded: "Estornado",
  expired: "Expirado",
  unfollowed: "Pagamento não confirmado",
} as const satisfies Partial<Record<ChargeState, string>>;
const TITLE = new RegExp(
  `^(${Object.values(ENDS).join("|")}|Cobrança)(?::| de) R\\$\\s([\\d.]+,\\d\\d)`,
);
const MISSING = "Não achei a cobrança";
const UNCLEAR = "Não sei qual pagamento é o desta cobrança";

/** The bot waits for nothing more: an end, or `missing`, which leaves the next step to the seller. */
const RESTS: readonly ChargeState[] = [
  ...(Object.keys(ENDS) as (keyof typeof ENDS)[]),
  "missing",
  "rejected",
  "not_sent",
];

const centavos = (text: string): number => Number(text.replaceAll(/\D/g, ""));

interface Title {
  readonly amount: number;
  /** Its first word. */
  readonly word: string;
  readonly at: Temporal.Instant;
}

/** Titles about each charge. */
const titlesOf = (messages: readonly StoredMessage[]): ReadonlyMap<number, readonly Title[]> =>
  Map.groupBy(
    messages.flatMap(({ embeds, createdAt }) => {
      const [, word, amount] = TITLE.exec(embeds[0]?.title ?? "") ?? [];
      if (word === undefined || amount === undefined) return [];
      return [{ amount: centavos(amount), word, at: createdAt }];
    }),
    ({ amount }) => amount,
  );

const isAbout = ({ embeds }: StoredMessage, title: string, amount: number): boolean =>
  embeds[0]?.title === title &&
  embeds[0].fields?.some(({ value }) => value.startsWith("R$") && centavos(value) === amount) ===
    true;

/** Compares the stored charges with the service's; the amount identifies each. `posts`: of the cards' channel. */
export const judgeCharges = (
  rows: readonly ChargeRow[],
  books: readonly SellerBook[],
  posts: readonly StoredMessage[],
): ChargeVerdict => {
  const findings: string[] = [];
  const counts = { double: 0, wrong: 0, endless: 0, untold: 0, toldTwice: 0 };
  const find = (kind: keyof typeof counts, amount: number, what: string): void => {
    counts[kind]++;
    findings.push(`charge of ${amount}: ${what}`);
  };
  const cards = titlesOf(posts);

  const judgeCard = ({ state, amountCents: amount, card, delivery }: ChargeRow): void => {
    const shown = cards.get(amount) ?? [];
    const wanted = state === "unfollowed" ? "Cobrança" : ENDS[state as keyof typeof ENDS];
    if (shown.length > 1) find("toldTwice", amount, `${shown.length} cards`);
    if (card === "due" || card === "sending") return find("endless", amount, "its card waits");
    if ((card === "sent") !== shown.length > 0) {
      const times = shown.map(({ at }) => at.toString()).join(", ");
      const posts = `posted ${shown.length} times (${times})`;
      find("wrong", amount, `its card is ${card ?? "not wanted"}, ${posts}; ${delivery}`);
    }
    const [first] = shown;
    if (first !== undefined && first.word !== wanted)
      find("endless", amount, `${state}, and its card shows ${first.word}`);
  };

  const judgeRow = (row: ChargeRow, made: LocalCharge | undefined, book: SellerBook): void => {
    const { state, amountCents: amount, txid, isUnclear } = row;
    const lines = (titlesOf(book.directMessages).get(amount) ?? []).map(({ word }) => word);
    const wanted: string | undefined = ENDS[state as keyof typeof ENDS];
    const said = lines.join(", ");
    const there = made?.state ?? "missing";
    if (lines.length > 1) find("toldTwice", amount, `told as ${said}`);
    if (wanted !== undefined && lines.length === 0) find("untold", amount, `${state} is not told`);
    if (lines.length > 0 && lines[0] !== wanted) find("wrong", amount, `${state}, told as ${said}`);
    if (!RESTS.includes(state)) return find("endless", amount, `remains ${state}`);
    judgeCard(row);
    if (state === "missing") {
      const all = [...book.directMessages, ...book.answers()];
      const title = isUnclear ? UNCLEAR : MISSING;
      if (!all.some((message) => isAbout(message, title, amount)))
        find("untold", amount, `${title} is not told`);
      if (there !== (isUnclear ? "approved" : "missing"))
        find("wrong", amount, `${title}, and ${there} at the service`);
      return;
    }
    // For three days the bot could not look for a lost charge, and said so.
    if (state === "unfollowed" && txid === undefined) return;
    const isNever = state === "rejected" || state === "not_sent";
    const owed = { paid: "approved", unfollowed: "expired" } as const;
    const wantedThere = isNever ? "missing" : (owed[state as keyof typeof owed] ?? state);
    if (there !== wantedThere) find("wrong", amount, `${state}, and ${there} at the service`);
    if (txid !== undefined && made?.txid !== txid) find("wrong", amount, `${txid} is another's`);
  };

  for (const book of books) {
    const own = rows.filter((row) => row.ownerId === book.ownerId);
    const known = new Set(own.map(({ amountCents }) => amountCents));
    const byAmount = Map.groupBy(book.charges, ({ amountCents }) => amountCents);
    for (const [amount, made] of byAmount) {
      if (made.length > 1) find("double", amount, `created ${made.length} times`);
      if (!known.has(amount)) find("wrong", amount, "created, and not stored");
    }
    for (const row of own) judgeRow(row, byAmount.get(row.amountCents)?.[0], book);
  }
  const many = (is: (row: ChargeRow) => boolean): number => rows.filter(is).length;
  return {
    ...counts,
    charges: books.flatMap(({ charges }) => charges).length,
    paid: many(({ state }) => state === "paid"),
    expired: many(({ state }) => state === "expired"),
    missing: many(({ state, isUnclear }) => state === "missing" && !isUnclear),
    unclear: many(({ state, isUnclear }) => state === "missing" && isUnclear),
    unfollowed: many(({ state }) => state === "unfollowed"),
    refused: many(({ state }) => state === "rejected" || state === "not_sent"),
    cards: many(({ card }) => card === "sent"),
    lateCards: many(({ card }) => card === "obsolete"),
    findings,
  };
};

interface Told {
  readonly seller: string;
  readonly kind: "sold" | "refunded";
  readonly count: number;
  readonly isSingle: boolean;
  /** Undefined for a number alone. */
  readonly total: number | undefined;
}

const SINGLE = /^(Venda|Estorno)[^·]* · \*\*R\$\s([\d.]+,\d\d)\*\*/;
const GROUP = /^\*\*([\d.]+) (venda|estorno)s?\*\*/;
const SUM = / · \*\*R\$\s([\d.]+,\d\d)\*\*/;
const BY_REPORT = "pelo relatório do dia";

const toldBy = ({ embeds }: StoredMessage, reader?: string): readonly Told[] => {
  const text = embeds[0]?.description ?? "";
  const seller = reader ?? /<@(\d+)>/.exec(text)?.[1] ?? "";
  const [, what, amount = ""] = SINGLE.exec(text) ?? [];
  if (what !== undefined) {
    const kind = what === "Venda" ? "sold" : "refunded";
    return [{ seller, kind, count: 1, isSingle: true, total: centavos(amount) }];
  }
  const [, number, of] = GROUP.exec(text) ?? [];
  if (number === undefined) return [];
  const sum = text.includes(BY_REPORT) ? undefined : SUM.exec(text)?.[1];
  const total = sum === undefined ? undefined : centavos(sum);
  const kind = of === "venda" ? "sold" : "refunded";
  return [{ seller, kind, count: centavos(number), isSingle: false, total }];
};

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + each, 0);

/**
 * Compares the channel and the direct messages with what was sold and refunded. A line about several is judged by its
 * number, and by its sum unless the seller was also told of a number alone: such a line names no sale, so the list tells
 * any others.
 */
export const judgeNotices = (
  books: readonly SellerBook[],
  posts: readonly StoredMessage[],
): NoticeVerdict => {
  const findings: string[] = [];
  let [untold, toldTwice] = [0, 0];
  const inChannel = posts.flatMap((message) => toldBy(message));
  if (inChannel.length < posts.length) findings.push("a notice cannot be read");
  const all = [
    ...inChannel,
    ...books.flatMap(({ ownerId, directMessages }) =>
      directMessages.flatMap((message) => toldBy(message, ownerId)),
    ),
  ];
  for (const book of books)
    for (const kind of ["sold", "refunded"] as const) {
      const owed = book[kind];
      const told = all.filter((each) => each.seller === book.ownerId && each.kind === kind);
      const singles = told.flatMap(({ isSingle, total = 0 }) => (isSingle ? [total] : []));
      const named = new Set(singles);
      const again = singles.length - named.size + named.difference(new Set(owed)).size;
      const short = owed.length - sumOf(told.map(({ count }) => count));
      const isSumKnown = told.every(({ total }) => total !== undefined);
      const isOther =
        isSumKnown && short === 0 && sumOf(owed) !== sumOf(told.map(({ total = 0 }) => total));
      untold += Math.max(0, short, isOther ? 1 : 0);
      toldTwice += Math.max(again, -short, isOther ? 1 : 0);
      if (short === 0 && again === 0 && !isOther) continue;
      const figures = `${owed.length} ${kind}, ${owed.length - short} told, ${again} again`;
      findings.push(`${book.ownerId}: ${figures}${isOther ? ", another sum" : ""}`);
    }
  const events = sumOf(books.map(({ sold, refunded }) => sold.length + refunded.length));
  const grouped = all.filter(({ isSingle }) => !isSingle).length;
  const byNumber = sumOf(all.flatMap(({ count, total }) => (total === undefined ? [count] : [])));
  return { events, grouped, byNumber, untold, toldTwice, findings };
};
