import { HOUR, MINUTE, pause, SECOND } from "../shared/time.ts";
import type { StoredMessage } from "./discord/state.ts";
import {
  checkCharge,
  checkPeriod,
  checkRefund,
  checkSaleNotices,
  checkTransactions,
} from "./demo-check-sales.ts";
import {
  ask,
  buttonOf,
  done,
  headline,
  mustHold,
  press,
  privateMessage,
  restartBot,
  shownIn,
  textOf,
  visible,
} from "./demo-steps.ts";
import { pass, passToEvening, settle } from "./pass-time.ts";
import { type Demo, startDemo } from "./start-demo.ts";
import { ANA, APPLICATION, CARLA, CHANNELS, PEOPLE, ROLES } from "./world.ts";

/** Reached only by a check that hangs. */
const TIME_LIMIT_MS = 5 * MINUTE;

/**
 * Plays the steps of the demo's welcome once, without a person at the keyboard, and prints each.
 * @returns the exit code: 0 when every step held.
 */
export const checkDemo = async (): Promise<number> => {
  let demo: Demo | undefined;
  const timer = setTimeout(() => {
    console.error("✗ Passou de cinco minutos");
    // The bot ends with its parent.
    process.exit(1);
  }, TIME_LIMIT_MS);
  try {
    // Posts to one channel are limited in real time, and days pass here within seconds.
    demo = await startDemo(0, { discord: { postsPerChannel: Infinity } });
    const { status } = await fetch(demo.page.url);
    mustHold(status === 200, `a página respondeu ${status}`);
    done(`Discord local, carteira local e bot no ar; a página responde em ${demo.page.url}`);
    await checkReport(demo);
    await checkWithdrawals(demo);
    await checkCharge(demo);
    await checkSaleNotices(demo);
    await checkTransactions(demo);
    await checkRefund(demo);
    await checkDispute(demo);
    await checkWebhook(demo);
    await checkPeriod(demo);
    checkOnce(demo);
    await demo.stop();
    done("Tudo encerrado, nada ficou para trás");
    return 0;
  } catch (error) {
    console.error(`✗ ${error instanceof Error ? error.message : String(error)}`);
    await demo?.stop();
    return 1;
  } finally {
    clearTimeout(timer);
  }
};

/** Ana connects and agrees to the report in Carla's channel: it comes once, though the bot is killed after it. */
const checkReport = async (demo: Demo): Promise<void> => {
  const { discord } = demo.sandbox;
  const form = await ask(demo, ANA.id, "conta conectar");
  if (form.kind !== "modal") throw new Error(`/conta conectar não abriu: ${shownIn(form)}`);
  const connected = await discord.person(ANA.id).submitModal(form.modal, { api_key: ANA.apiKey });
  done(`Ana digita /conta conectar e cola a chave: ${shownIn(connected)}`);
  const readSales = async (): Promise<string> => {
    const sales = privateMessage(await ask(demo, ANA.id, "vendas", { data: "ontem" }));
    mustHold(textOf(sales).includes("R$"), "/vendas não mostrou valores");
    return headline(sales);
  };
  done(`Ela digita /vendas e lê, só ela: ${await readSales()}`);
  const saved = await ask(demo, CARLA.id, "config relatorio", { canal: CHANNELS.vendas.id });
  await settle(demo);
  const [question] = discord.directMessages(ANA.id).filter(({ components }) => components.length);
  if (question === undefined) throw new Error("ninguém perguntou a Ana se o relatório pode sair");
  const agreed = await press(demo, question, "Pode postar");
  done(`Carla escolhe o canal, e Ana o aceita: ${shownIn(saved)} / ${shownIn(agreed)}`);

  const reports = () => discord.messages(CHANNELS.vendas.id);
  await passToEvening(demo);
  await pass(demo, 5 * MINUTE);
  const [report] = reports();
  mustHold(reports().length === 1, `às 21:10 o canal tem ${reports().length} relatórios`);
  done(`O relógio vai às 21:05, e um relatório só chega: ${report && headline(report)}`);
  await restartBot(demo);
  await settle(demo);
  mustHold(reports().length === 1, "o relatório chegou de novo depois da queda do bot");
  await readSales();
  done("O bot cai (SIGKILL) e volta pela página: a chave de Ana e o relatório único continuam");
};

/** Ana withdraws, and withdraws again on the next day, when the answer of the wallet service is lost. */
const checkWithdrawals = async (demo: Demo): Promise<void> => {
  const { clock, faults, wallet } = demo.sandbox;
  const order = { valor: "50", modalidade: "turbo", chave: "ana@lojaaurora.example" };
  const confirm = async (asked: StoredMessage): Promise<StoredMessage> => {
    // The bot ignores a click that comes before a person can have read the question.
    clock.moveBy(2 * SECOND);
    const last = buttonOf(asked, "Enviar") !== undefined;
    const shown = privateMessage(await press(demo, asked, last ? "Enviar" : "Continuar"));
    return last ? shown : await confirm(shown);
  };
  const until = async (reply: StoredMessage, title: string): Promise<string> => {
    const shown = () => headline(visible(demo, reply));
    for (let waits = 0; !shown().includes(title) && waits < 40; waits++)
      await pass(demo, 20 * SECOND);
    mustHold(shown().includes(title), `"${title}" não veio; a resposta diz: ${shown()}`);
    return shown();
  };

  const asked = privateMessage(await ask(demo, ANA.id, "saque", order));
  for (const amount of ["50,00", "3,50", "46,50"])
    mustHold(textOf(asked).includes(amount), `a confirmação não mostra R$ ${amount}`);
  mustHold(wallet.executed(ANA.id).length === 0, "o dinheiro saiu antes de confirmar");
  done(`Ana pede um saque e lê tudo antes de confirmar: ${headline(asked)}`);
  const ended = await until(await confirm(asked), "Saque concluído");
  done(`Ela confirma, o dinheiro sai, e a mesma resposta conta o fim: ${ended}`);

  await pass(demo, 24 * HOUR + 10 * MINUTE);
  faults.failNext("POST /v1/withdraw", { kind: "reset", at: "after" });
  const unclear = await confirm(privateMessage(await ask(demo, ANA.id, "saque", order)));
  mustHold(headline(unclear).includes("Ainda não sei"), `não disse que não sabe`);
  const found = await until(unclear, "Saque concluído");
  done(`A resposta de outro se perde, e o bot o acha sem repetir: ${found}`);
  const made = wallet.executed(ANA.id).map(({ status }) => status);
  mustHold(made.join() === "completed,completed", `nos livros do serviço: ${made.join()}`);
  const requests = wallet.requests.filter(
    ({ method, path }) => method === "POST" && path === "/v1/withdraw",
  );
  mustHold(requests.length === 2, `foram ${requests.length} pedidos em vez de 2`);
  done("Nos livros do serviço: 2 saques pagos, nenhum em dobro, 2 pedidos");
};

/** A payer opens a MED: the channel has its alert, a reminder, the answer and the end; Ana gets her defence. */
const checkDispute = async (demo: Demo): Promise<void> => {
  const { clock, discord, wallet } = demo.sandbox;
  const route = { canal: CHANNELS.avisos.id, cargo: ROLES.equipe.id };
  const saved = await ask(demo, CARLA.id, "config alertas", route);
  const seen = privateMessage(await ask(demo, ANA.id, "conta ver"));
  const agreed = await discord
    .person(ANA.id)
    .select(seen.id, `conta:alertas:${ANA.id}`, ["channel"]);
  mustHold(
    textOf(privateMessage(agreed)).includes(CHANNELS.avisos.id),
    "/conta ver não diz o canal dos alertas",
  );
  done(`Carla escolhe #avisos e o cargo, Ana aceita: ${shownIn(saved)} / ${shownIn(agreed)}`);

  const id = wallet.openMed(ANA.id, {
    amountCents: 149_00,
    situationType: "FRAUDE",
    hoursToAnswer: 80,
    original: { type: "api", product: "Plano VIP mensal" },
  });
  const alerts = () =>
    discord.messages(CHANNELS.avisos.id).filter((each) => textOf(each).includes(id));
  const told = async (...titles: readonly string[]): Promise<string> => {
    for (let times = 0; times < 2; times++) await pass(demo, 6 * MINUTE);
    const said = alerts().map(headline);
    mustHold(
      said.length === titles.length && titles.every((title, at) => said[at]?.includes(title)),
      `em vez de ${titles.join(", ")} o canal diz: ${said.join(" / ")}`,
    );
    return said.at(-1) ?? "";
  };
  const first = await told("Novo MED");
  const [alert] = alerts();
  if (alert === undefined) throw new Error("o MED não foi anunciado");
  mustHold(alert.content.startsWith(`<@${ANA.id}> <@&${ROLES.equipe.id}> `), "não avisa o cargo");
  done(`Um pagador abre um MED, e ele é anunciado uma vez, com o cargo: ${first}`);
  const due = wallet.meds(ANA.id).find(({ infractionId }) => infractionId === id)?.dueAt;
  clock.moveTo(due?.subtract({ hours: 72 }) ?? clock.now());
  done(`Quando faltam 72 horas, um lembrete: ${await told("Novo MED", "3 dias")}`);

  const [old, newest = alert] = alerts();
  mustHold(
    old?.content.includes("continua abaixo") === true && !old.components?.length,
    "o lembrete não substituiu o aviso anterior",
  );
  const defence = privateMessage(await press(demo, newest, "Preparar defesa"));
  const files = defence.attachments.map((file) => discord.attachmentData(file.id) ?? Buffer.of());
  mustHold(files[0]?.subarray(0, 5).toString() === "%PDF-", "a defesa não é um PDF");
  mustHold(files[1]?.toString().includes(id) === true, "o texto da defesa não tem o MED");
  done(`Sob o alerta, Ana prepara a defesa, em PDF e em texto: ${headline(defence)}`);

  wallet.answerMed(ANA.id, id, { status: "disagreed", text: "Entregue." });
  await told("Novo MED", "3 dias", "respondido");
  wallet.decideMed(ANA.id, id, "rejected");
  const end = await told("Novo MED", "3 dias", "respondido", "ganho");
  const list = privateMessage(await ask(demo, ANA.id, "meds"));
  const one = privateMessage(await ask(demo, ANA.id, "meds", { infracao: id }));
  mustHold(textOf(one).includes(id), "/meds não mostra o MED");
  done(`Ela responde no painel do serviço, e o banco decide: ${end}; /meds: ${headline(list)}`);
};

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/ganchos\/[\w-]+/;

/** Ana registers the address of `/conta webhook` at the wallet service: a sale and a MED are told without a poll. */
const checkWebhook = async (demo: Demo): Promise<void> => {
  const { clock, discord, wallet } = demo.sandbox;
  const [address] =
    ADDRESS.exec(privateMessage(await ask(demo, ANA.id, "conta webhook")).content) ?? [];
  mustHold(address !== undefined, "/conta webhook não mostrou o endereço");
  wallet.webhooks.register(ANA.id, address);
  // The steps before may have used up what the bot asks of one account in a minute.
  await settle(demo);
  const begun = clock.now();
  const id = wallet.openMed(ANA.id, {
    amountCents: 59_00,
    situationType: "ERRO",
    hoursToAnswer: 90,
    original: undefined,
  });
  const product = "Aula avulsa";
  wallet.sale({ owner: ANA.id, origin: "api", reais: 33, product });
  const has = (channelId: string, text: string): boolean =>
    discord.messages(channelId).some((each) => textOf(each).includes(text));
  const told = (): boolean => has(CHANNELS.avisos.id, id) && has(CHANNELS.vendas.id, product);
  for (let waits = 0; !told() && waits < 300; waits++) await pause(100);
  const seconds = Math.round(clock.now().since(begun).total("seconds"));
  mustHold(told() && seconds < 60, `a venda e o MED não foram contados em ${seconds} segundos`);
  wallet.webhooks.register(ANA.id, undefined);
  done(`A carteira chama o endereço de /conta webhook: venda e MED saem em ${seconds} s`);
};

/** Requires at the end that all channels together have each alert, and each message, only once. */
const checkOnce = ({ sandbox: { discord, wallet } }: Demo): void => {
  const ids = wallet.meds(ANA.id).map(({ infractionId }) => infractionId);
  const posted = [
    ...Object.values(CHANNELS).flatMap(({ id }) => discord.messages(id)),
    ...PEOPLE.flatMap(({ id }) => discord.directMessages(id)),
  ].filter(({ authorId }) => authorId === APPLICATION.id);
  const alerts = posted.flatMap((message) =>
    ids.filter((id) => textOf(message).includes(id)).map((id) => `${headline(message)}: ${id}`),
  );
  // Footers are unique marks by which the bot finds its posts.
  const marks = posted.flatMap(({ embeds }) => embeds.flatMap(({ footer }) => footer?.text ?? []));
  for (const all of [alerts, marks]) {
    const again = all.find((each, index) => all.indexOf(each) !== index);
    mustHold(again === undefined, `mensagem repetida: ${again}`);
  }
  done(`De ${alerts.length} alertas de MED, nenhum saiu duas vezes`);
};
