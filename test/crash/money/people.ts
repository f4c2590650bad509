import type { Shown } from "#src/sandbox/discord/local-discord.ts";
import { CHANNELS } from "#src/sandbox/world.ts";
import type { SeededRandom } from "../../simulate/seeded-random.ts";
import type { MoneyStage, Seller } from "./stage.ts";

const CONFIRM = /"custom_id":"(saque:confirmar:[^"]*)"/;
const MOST_CONFIRMATIONS = 3;

const isTurbo = (dice: SeededRandom): boolean => dice.fraction() < 0.85;

/** The confirmation that is shown now, if one is. */
const noteWaiting = (seller: Seller, shown: Shown): void => {
  if (shown.kind !== "message") return;
  const customId = CONFIRM.exec(JSON.stringify(shown.message.components))?.[1];
  seller.waiting = customId === undefined ? undefined : { messageId: shown.message.id, customId };
};

/**
 * Confirms what is on the screen, or asks for a withdrawal and confirms that, with a nervous finger: now and then a
 * click is two. Ends early when the bot does.
 */
export const shop = async (
  stage: MoneyStage,
  seller: Seller,
  dice: SeededRandom,
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
  }
  for (let times = 0; times < MOST_CONFIRMATIONS; times++) {
    const { waiting } = seller;
    if (waiting === undefined || !alive.now) return;
    seller.waiting = undefined;
    const click = (): Promise<Shown> => person.click(waiting.messageId, waiting.customId);
    const clicks = dice.fraction() < 0.2 ? [click(), click()] : [click()];
    // Somebody whose bot died looks at the same buttons as before.
    if (dice.fraction() < 0.5) seller.waiting = waiting;
    const [first] = await Promise.all(clicks);
    if (first?.kind === "message" && alive.now) noteWaiting(seller, first);
  }
};

/**
 * The same account's owner withdraws to the same key in the service's own pages: once, or so often that the list's one
 * page holds nothing else.
 */
export const withdrawInDashboard = (
  stage: MoneyStage,
  seller: Seller,
  dice: SeededRandom,
): void => {
  const times = dice.fraction() < 0.3 ? dice.between(4, 8) : 1;
  for (let time = 0; time < times; time++)
    stage.sandbox.wallet.dashboardWithdraw(seller.id, {
      amountCents: stage.newAmount(),
      pixKey: seller.pixKey,
      turbo: isTurbo(dice),
    });
};
