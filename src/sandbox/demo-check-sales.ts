import { MINUTE, SECOND } from "../shared/time.ts";
import {
  ask,
  done,
  hasPicture,
  headline,
  mustHold,
  press,
  privateMessage,
  shownIn,
  textOf,
  visible,
} from "./demo-steps.ts";
import type { StoredMessage } from "./discord/state.ts";
import { pass, settle } from "./pass-time.ts";
import type { Demo } from "./start-demo.ts";
import { ANA, CARLA, CHANNELS } from "./world.ts";

const PRODUCT = "Plano VIP mensal";

/** Ana charges in #geral, and a payer pays: the card, her answer and one direct message say so. */
export const checkCharge = async (demo: Demo): Promise<void> => {
  const { discord, wallet } = demo.sandbox;
  const order = { valor: "79,90", descricao: PRODUCT };
  const answer = privateMessage(await ask(demo, ANA.id, "cobrar", order));
  mustHold(hasPicture(demo, answer), "a cobrança veio sem o QR");
  await press(demo, answer, "Publicar no canal");
  await settle(demo);
  const cards = () => discord.messages(CHANNELS.geral.id).filter((each) => isShown(each, PRODUCT));
  mustHold(cards().length === 1 && hasPicture(demo, cards()[0]), "não saiu um cartão com o QR");
  const [charge] = wallet.charges(ANA.id);
  mustHold(wallet.payCharge(ANA.id, charge?.txid ?? "") === "done", "a cobrança não foi paga");
  const isPaid = (message: StoredMessage | undefined): boolean =>
    message !== undefined && headline(message).startsWith("Pago");
  for (let waits = 0; !isPaid(cards()[0]) && waits < 10; waits++) await pass(demo, MINUTE);
  mustHold(isPaid(cards()[0]) && isPaid(visible(demo, answer)), "a cobrança paga não virou Pago");
  const told = discord.directMessages(ANA.id).filter(isPaid);
  mustHold(told.length === 1 && cards().length === 1, `${told.length} avisos, não um`);
  const [card] = cards();
  done(`Ana cobra, publica, e um cliente paga: ${headline(answer)} / ${card && headline(card)}`);

  const unpaid = privateMessage(await ask(demo, ANA.id, "cobrar", order));
  const txid = wallet.charges(ANA.id).find(({ state }) => state === "pending")?.txid;
  mustHold(wallet.expireCharge(ANA.id, txid ?? "") === "done", "a cobrança não expirou");
  const ended = (): string => headline(visible(demo, unpaid) ?? unpaid);
  for (let waits = 0; !ended().startsWith("Expirado") && waits < 10; waits++)
    await pass(demo, MINUTE);
  mustHold(ended().startsWith("Expirado"), `a cobrança que ninguém pagou diz: ${ended()}`);
  done(`Outra cobrança, ninguém paga: ${ended()}`);
};

/** Sales in #vendas: one alone, and twelve within a minute in one line with their sum. */
export const checkSaleNotices = async (demo: Demo): Promise<void> => {
  const { discord, wallet } = demo.sandbox;
  const saved = await ask(demo, CARLA.id, "config vendas", { canal: CHANNELS.vendas.id });
  const seen = privateMessage(await ask(demo, ANA.id, "conta ver"));
  const choice = `conta:vendas:${ANA.id}`;
  privateMessage(await discord.person(ANA.id).select(seen.id, choice, ["channel"]));
  // The first reading of the list only says which sales are old.
  for (let times = 0; times < 2; times++) await pass(demo, MINUTE);
  const notices = () =>
    discord
      .messages(CHANNELS.vendas.id)
      .filter(({ embeds }) => embeds[0]?.title === undefined)
      .map(headline);
  const sale = { owner: ANA.id, origin: "api", product: PRODUCT } as const;
  wallet.sale({ ...sale, reais: 79.9 });
  for (let times = 0; times < 2; times++) await pass(demo, MINUTE);
  wallet.sales({ ...sale, reais: 10 }, 12);
  for (let times = 0; times < 3; times++) await pass(demo, MINUTE);
  const [first = "", second = "", ...more] = notices();
  mustHold(/^Venda: .*79,90/.test(first), `a venda não foi avisada: ${first}`);
  mustHold(/12 vendas.*120,00/.test(second), `as 12 vendas não foram avisadas: ${second}`);
  mustHold(more.length === 0, `avisos demais: ${more.join(" / ")}`);
  done(
    `Carla liga os avisos, e cada venda sai uma vez: ${shownIn(saved)} / ${plain(first)} / ${plain(second)}`,
  );
};

/** The list of sales, and one of them in full with its payer. */
export const checkTransactions = async (demo: Demo): Promise<void> => {
  const { discord, wallet } = demo.sandbox;
  const payerName = "Marina Duarte";
  const txid = wallet.sale({
    owner: ANA.id,
    origin: "api",
    reais: 45,
    product: PRODUCT,
    payerName,
  });
  const list = privateMessage(await ask(demo, ANA.id, "transacoes"));
  mustHold(isShown(list, PRODUCT), "/transacoes não mostra a venda");
  mustHold(!isShown(list, payerName), "a lista de /transacoes mostra quem pagou");
  const opened = await discord.person(ANA.id).select(list.id, "transacoes:abrir:", [txid]);
  const detail = privateMessage(opened);
  mustHold(isShown(detail, payerName) && isShown(detail, txid), "o detalhe não mostra a venda");
  const count = list.embeds[0]?.description?.split("\n")[0];
  done(`Em /transacoes, a lista e uma venda inteira: ${plain(count ?? "")} / ${headline(detail)}`);
};

/** Seven days of sales, with their picture. */
export const checkPeriod = async (demo: Demo): Promise<void> => {
  const shown = privateMessage(await ask(demo, ANA.id, "vendas", { periodo: "7 dias" }));
  mustHold(hasPicture(demo, shown), "/vendas periodo veio sem a figura");
  done(`Ela digita /vendas periodo:7 dias, e vem com a figura: ${headline(shown)}`);
};

/** Ana gives a sale back to its payer; under an open MED it is refused. */
export const checkRefund = async (demo: Demo): Promise<void> => {
  const { clock, discord, faults, wallet } = demo.sandbox;
  const sell = (): string =>
    wallet.sale({ owner: ANA.id, origin: "api", reais: 79.9, product: PRODUCT });
  const txid = sell();
  const asked = privateMessage(await ask(demo, ANA.id, "estornar", { txid }));
  mustHold(wallet.refunds(ANA.id).length === 0, "o estorno saiu antes de confirmar");
  clock.moveBy(2 * SECOND);
  const ended = privateMessage(await press(demo, asked, "Estornar"));
  mustHold(headline(ended).includes("Estorno feito"), `o estorno diz: ${headline(ended)}`);
  done(`Ana estorna uma venda, depois de ler tudo: ${headline(asked)} / ${headline(ended)}`);

  faults.failNext("POST /v1/refund", { kind: "reset", at: "after" });
  const again = privateMessage(await ask(demo, ANA.id, "estornar", { txid: sell() }));
  clock.moveBy(2 * SECOND);
  const lost = privateMessage(await press(demo, again, "Estornar"));
  const found = () => isShown(visible(demo, lost), "Estorno feito");
  for (let waits = 0; !found() && waits < 10; waits++) await pass(demo, MINUTE);
  mustHold(found(), `o estorno sem resposta diz: ${headline(visible(demo, lost))}`);
  const told = discord.directMessages(ANA.id).filter((each) => isShown(each, "Estorno feito"));
  mustHold(told.length === 0, `${told.length} avisos além das respostas`);
  done(`A resposta de outro estorno se perde, e ela sabe do fim: ${headline(lost)}`);

  const contested = sell();
  const original = { type: "api", product: PRODUCT } as const;
  const med = { amountCents: 79_90, situationType: "FRAUDE", hoursToAnswer: 90 } as const;
  const id = wallet.openMed(ANA.id, { ...med, original, txid: contested });
  const refused = privateMessage(await ask(demo, ANA.id, "estornar", { txid: contested }));
  mustHold(isShown(refused, "MED aberto"), `com um MED aberto diz: ${headline(refused)}`);
  const requests = wallet.refunds(ANA.id).map(({ times }) => times);
  mustHold(requests.join() === "1,1", `os pedidos de estorno foram ${requests.join()}`);
  wallet.cancelMed(ANA.id, id);
  done(`Com um MED aberto sobre a venda, não: ${headline(refused)}`);
};

/** Without marks and without the seller's mention. */
const plain = (line: string): string => line.replace(/ · <@\d+>/, "").replaceAll(/[*`]/g, "");

const isShown = (message: StoredMessage, text: string): boolean => textOf(message).includes(text);
