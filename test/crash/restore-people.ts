import { READING_MS } from "#src/withdrawals/withdraw-draft.service.ts";
import type { ActionResult, StoredMessage } from "#src/sandbox/discord/state.ts";
import { CHANNELS } from "#src/sandbox/world.ts";
import type { MoneyStage, Seller } from "./money/stage.ts";

/** A payment that a seller wants once, with the amounts of all orders placed for it. */
export interface Wish {
  readonly seller: Seller;
  readonly amounts: number[];
  /** The owner saw the fulfilled withdrawal at the service. */
  seen: boolean;
}

/** Result of an order: `asked` when the bot wants the owner to check first. */
type Ordered = "sent" | "asked" | "not_now";

const CONFIRM = /"custom_id":"(saque:confirmar:[^"]*)"/;
const CHECKED = /"custom_id":"(saques:conferi:[^"]*)"/;
const MOST_CONFIRMATIONS = 3;

const partOf = (message: StoredMessage, pattern: RegExp): string | undefined =>
  pattern.exec(JSON.stringify(message.components))?.[1];

const messageOf = (shown: ActionResult): StoredMessage | undefined =>
  shown.kind === "message" ? shown.message : undefined;

/** Orders and confirms every question. A seller who is asked to check first looks in the dashboard. */
export const placeOrder = async (stage: MoneyStage, wish: Wish): Promise<Ordered> => {
  const { person, pixKey } = wish.seller;
  const amount = stage.newAmount();
  const valor = (amount / 100).toFixed(2).replace(".", ",");
  const options = { valor, chave: pixKey, modalidade: "turbo" };
  const command = { channelId: CHANNELS.geral.id, name: "saque", options };
  let message = messageOf(await person.command(command));
  const question = message && partOf(message, CHECKED);
  if (message !== undefined && question !== undefined) {
    await person.click(message.id, question);
    return "asked";
  }
  wish.amounts.push(amount);
  for (let times = 0; times < MOST_CONFIRMATIONS && message !== undefined; times++) {
    const confirm = partOf(message, CONFIRM);
    if (confirm === undefined) return times === 0 ? "not_now" : "sent";
    stage.sandbox.clock.moveBy(READING_MS);
    message = messageOf(await person.click(message.id, confirm));
  }
  return "sent";
};
