import type { ActionResult } from "#src/sandbox/discord/state.ts";
import { CHANNELS } from "#src/sandbox/world.ts";
import type { Dice } from "../../simulate/dice.ts";
import type { MoneyStage, Seller } from "./stage.ts";

const CONFIRM = /"custom_id":"(saque:confirmar:[^"]*)"/;
const CHECKED = /"custom_id":"(saques:conferi:[^"]*)"/;
const MOST_CONFIRMATIONS = 3;
const READING_MS = 2_000;

const isTurbo = (dice: Dice): boolean => dice.fraction() < 0.85;

/** The confirmation that is shown now, if one is. */
const noteWaiting = (seller: Seller, shown: ActionResult): void => {
  if (shown.kind !== "message") return;
  const customId = CONFIRM.exec(JSON.stringify(shown.message.components))?.[1];
  seller.waiting = customId === undefined ? undefined : { messageId: shown.message.id, customId };
};

/** After a silence the bot asks its owner to look at the service first; the next order goes on. */
const answerQuestion = async ({ person }: Seller, shown: ActionResult): Promise<void> => {
  if (shown.kind !== "message") return;
  const question = CHECKED.exec(JSON.stringify(shown.message.components))?.[1];
  if (question !== undefined) await person.click(shown.message.id, question);
};

/**
 * Confirms the question on screen, or orders a withdrawal and confirms it, sometimes with a double click. Ends early
 * with the bot.
 */
export const shop = async (
  stage: MoneyStage,
  seller: Seller,
  dice: Dice,
  alive: { readonly now: boolean },
): Promise<void> => {
  const { person, pixKey } = seller;
  if (seller.waiting === undefined) {
    const amount = stage.newAmount();
    const shown = await person.command({
      channelId: CHANNELS.geral.id,
      name: "saque",
      options: {
        valor: (amount / 100).toFixed(2).replace(".", ","),
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
    const click = (): Promise<ActionResult> => person.click(waiting.messageId, waiting.customId);
    const clicks = dice.fraction() < 0.2 ? [click(), click()] : [click()];
    // A person whose bot died still sees the same buttons.
    if (dice.fraction() < 0.5) seller.waiting = waiting;
    const [first] = await Promise.all(clicks);
    if (first?.kind === "message" && alive.now) noteWaiting(seller, first);
  }
};

const DECIDE = /"custom_id":"saques:aconteceu:(W-\w+)"/;

/** Looks the withdrawal up in the service's dashboard and answers the bot's direct message. */
export const decide = async (stage: MoneyStage, { id, person }: Seller): Promise<void> => {
  const { wallet, discord } = stage.sandbox;
  for (const message of discord.directMessages(id)) {
    const opId = DECIDE.exec(JSON.stringify(message.components))?.[1];
    if (opId === undefined) continue;
    const [op] = await stage.database.query(
      `select amount_cents from withdraw_op where state = 'manual' and id = '${opId}'`,
    );
    if (op === undefined) continue;
    const amount = Number(op["amount_cents"]);
    const happened = wallet.executed(id).some(({ amountCents }) => amountCents === amount);
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
