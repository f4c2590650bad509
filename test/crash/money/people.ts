import { READING_MS } from "#src/withdrawals/withdraw-draft.service.ts";
import type { ActionResult } from "#src/sandbox/discord/state.ts";
import { CHANNELS } from "#src/sandbox/world.ts";
import type { Dice } from "../../simulate/dice.ts";
import type { MoneyStage, Seller } from "./stage.ts";

const CONFIRM = /"custom_id":"(saque:confirmar:[^"]*)"/;
const CHECKED = /"custom_id":"(saques:conferi:[^"]*)"/;
const PUBLISH = /"custom_id":"(cobrar:publicar:[^"]*)"/;
const MOST_CONFIRMATIONS = 3;

const isTurbo = (dice: Dice): boolean => dice.fraction() < 0.85;

/** The confirmation that is shown now, if one is. */
const noteWaiting = (seller: Seller, shown: ActionResult, refundOf?: string): void => {
  if (shown.kind !== "message") return;
  const customId = CONFIRM.exec(JSON.stringify(shown.message.components))?.[1];
  const question = { messageId: shown.message.id, ...(refundOf !== undefined && { refundOf }) };
  seller.waiting = customId === undefined ? undefined : { ...question, customId };
};

/** Sells something and asks for its refund. */
const askRefund = async (stage: MoneyStage, seller: Seller): Promise<void> => {
  const { id: owner, person, sales } = seller;
  const amount = stage.newAmount();
  const txid = stage.sandbox.wallet.sale({ owner, origin: "api", reais: amount / 100 });
  sales.set(txid, amount);
  const options = { txid };
  const shown = await person.command({ channelId: CHANNELS.geral.id, name: "estornar", options });
  noteWaiting(seller, shown, txid);
  await answerQuestion(seller, shown);
};

const typed = (centavos: number): string => (centavos / 100).toFixed(2).replace(".", ",");

/** Charges a new amount, and mostly publishes the card. */
const charge = async (stage: MoneyStage, { person }: Seller, dice: Dice): Promise<void> => {
  const amount = stage.newAmount();
  const options = { valor: typed(amount), descricao: `Pedido ${amount}` };
  const shown = await person.command({ channelId: CHANNELS.geral.id, name: "cobrar", options });
  if (shown.kind !== "message" || dice.fraction() < 0.2) return;
  const publish = PUBLISH.exec(JSON.stringify(shown.message.components))?.[1];
  if (publish !== undefined) await person.click(shown.message.id, publish);
};

const SHOWN = "select txid from charge where state = 'open'";

/** Payers pay some of the open charges; the code of one whose answer was lost is in the dashboard alone. */
export const payCharges = async (stage: MoneyStage, dice: Dice): Promise<void> => {
  const { wallet } = stage.sandbox;
  const shown = new Set((await stage.database.query(SHOWN)).map(({ txid }) => txid));
  for (const { id } of stage.sellers)
    for (const { state, txid } of wallet.charges(id))
      if (state === "pending" && dice.fraction() < (shown.has(txid) ? 0.5 : 0.05))
        wallet.payCharge(id, txid);
};

/** A payer contests the payment while its refund waits for the first click. */
const contest = (stage: MoneyStage, { id, disputed }: Seller, txid: string): void => {
  stage.sandbox.wallet.openMed(id, {
    amountCents: stage.newAmount(),
    situationType: "FRAUDE",
    hoursToAnswer: 48,
    original: undefined,
    txid,
  });
  disputed.add(txid);
};

/** After a silence the bot asks its owner to look at the service first; the next order goes on. */
const answerQuestion = async ({ person }: Seller, shown: ActionResult): Promise<void> => {
  if (shown.kind !== "message") return;
  const question = CHECKED.exec(JSON.stringify(shown.message.components))?.[1];
  if (question !== undefined) await person.click(shown.message.id, question);
};

/**
 * Charges something, or confirms the question on screen, or orders a withdrawal or a refund and confirms it, sometimes
 * with a double click. Ends early with the bot.
 */
export const shop = async (
  stage: MoneyStage,
  seller: Seller,
  dice: Dice,
  alive: { readonly now: boolean },
): Promise<void> => {
  const { person, pixKey } = seller;
  if (dice.fraction() < 0.2) return await charge(stage, seller, dice);
  if (seller.waiting === undefined && dice.fraction() < 0.35) {
    await askRefund(stage, seller);
  } else if (seller.waiting === undefined) {
    const amount = stage.newAmount();
    const shown = await person.command({
      channelId: CHANNELS.geral.id,
      name: "saque",
      options: {
        valor: typed(amount),
        chave: pixKey,
        modalidade: isTurbo(dice) ? "turbo" : "normal",
      },
    });
    noteWaiting(seller, shown);
    await answerQuestion(seller, shown);
  }
  for (let times = 0; times < MOST_CONFIRMATIONS; times++) {
    const { waiting } = seller;
    if (waiting === undefined || !alive.now) return;
    seller.waiting = undefined;
    await stage.moveBy(READING_MS);
    // Only a question that was never clicked: a click under way may have read the disputes already.
    if (waiting.refundOf !== undefined && dice.fraction() < stage.contestedShare)
      contest(stage, seller, waiting.refundOf);
    const click = (): Promise<ActionResult> => person.click(waiting.messageId, waiting.customId);
    const clicks = dice.fraction() < 0.2 ? [click(), click()] : [click()];
    // A person whose bot died still sees the same buttons.
    const { refundOf: _, ...clicked } = waiting;
    if (dice.fraction() < 0.5) seller.waiting = clicked;
    const [first] = await Promise.all(clicks);
    if (first?.kind === "message" && alive.now) noteWaiting(seller, first);
  }
};

const DECIDE = /"custom_id":"saques:aconteceu:(W-\w+)"/;

/** Looks the operation up in the service's dashboard and answers the bot's direct message. */
export const decide = async (stage: MoneyStage, { id, person }: Seller): Promise<void> => {
  const { wallet, discord } = stage.sandbox;
  for (const message of discord.directMessages(id)) {
    const opId = DECIDE.exec(JSON.stringify(message.components))?.[1];
    if (opId === undefined) continue;
    const [op] = await stage.database.query(
      `select kind, target_txid, amount_cents from withdraw_op where state = 'manual' and id = '${opId}'`,
    );
    if (op === undefined) continue;
    const amount = Number(op["amount_cents"]);
    const happened =
      op["kind"] === "refund"
        ? wallet.refunds(id).some(({ txid, at }) => txid === op["target_txid"] && at !== undefined)
        : wallet.executed(id).some(({ amountCents }) => amountCents === amount);
    const button = `saques:${happened ? "aconteceu" : "nao-aconteceu"}:${opId}`;
    const form = await person.click(message.id, button);
    if (form.kind === "modal") await person.submitModal(form.modal, { codigo: opId });
  }
};

/**
 * The same owner withdraws to the same key in the service's dashboard: once, or often enough to fill the list's only
 * page.
 */
export const withdrawInDashboard = (stage: MoneyStage, seller: Seller, dice: Dice): void => {
  const times = dice.fraction() < 0.2 ? dice.between(4, 8) : 1;
  for (let time = 0; time < times; time++)
    stage.sandbox.wallet.dashboardWithdraw(seller.id, {
      amountCents: stage.newAmount(),
      pixKey: seller.pixKey,
      turbo: isTurbo(dice),
    });
};
