import { beforeEach, describe, expect, test } from "vitest";
import { ANA, BRUNO, CHANNELS } from "#src/sandbox/world.ts";
import { createWatch } from "./support/disputes.ts";
import { createMoneyDriver, partWith, type MoneyDriver } from "./support/money.ts";
import { messageOf, openStage, type Stage, textOf, keepProof } from "./support/stage.ts";
import { pdfText } from "../support/pdf-text.ts";

const LOST = "91e2c7a4-38df-4b60-95f8-2ad4e06b13c9";
const PENDING = "b3c5e0f2-66d1-4a7e-8f19-0d42a7c81e53";

describe("the overview of disputes", () => {
  let stage: Stage;
  let moneyDriver: MoneyDriver;

  const typed = async (infracao: string): Promise<string> =>
    textOf(messageOf(await moneyDriver.command("meds", { infracao })));
  const listFails = (): unknown =>
    stage.sandbox.faults.failNext("GET /v1/meds", { kind: "html", at: "before" }, 50);

  beforeEach(async () => {
    stage = await openStage();
    await stage.connectAna();
    moneyDriver = createMoneyDriver(stage);
  });

  test("without the service's list says so, and follows what is typed by hand, which its menu opens", async () => {
    listFails();
    const before = messageOf(await moneyDriver.command("meds"));
    expect(textOf(before)).toContain("Não consegui ler a lista de MEDs do serviço agora");
    expect(textOf(before)).toContain("retido R$");
    expect(textOf(before)).not.toContain(LOST);

    expect(await typed(` ${LOST} `)).toContain("Perdido: devolvido ao pagador");

    const short = messageOf(await moneyDriver.command("meds"));
    const after = messageOf(await moneyDriver.press(short, "meds:lista:"));
    expect(textOf(after)).toContain("Abaixo estão os que eu já acompanhava.");
    expect(textOf(after)).toContain("`Mentoria em grupo`");
    const open = partWith(after, "meds:abrir:");
    const detail = messageOf(await moneyDriver.person.select(after.id, open, [LOST]));
    expect(textOf(detail)).toContain("O banco aceitou a contestação");
    const back = messageOf(await moneyDriver.press(detail, "meds:lista:"));
    expect(textOf(back)).toContain("`Mentoria em grupo`");
  });

  test("opens on those that wait, by product, and its menu opens it; all are behind a button", async () => {
    const list = messageOf(await moneyDriver.command("meds"));
    expect(textOf(list)).toMatch(/^⏰ 2 MEDs precisam de resposta\n/);
    expect(textOf(list)).toMatch(/\*\*R\$\s249,00\*\* · `Plano VIP mensal` · prazo <t:/);
    expect(textOf(list)).not.toContain(PENDING);
    expect(textOf(list)).not.toContain("Perdido: devolvido");
    const open = partWith(list, "meds:abrir:");
    const detail = messageOf(await moneyDriver.person.select(list.id, open, [PENDING]));
    expect(textOf(detail)).toContain(PENDING);
    const all = messageOf(await moneyDriver.press(detail, "meds:lista:"));
    expect(textOf(all)).toContain("Perdido: devolvido ao pagador");
  });

  test("reminds of one that was typed by hand, though the list stays unreadable", async () => {
    stage.sandbox.faults.failNext("GET /v1/meds", { kind: "html", at: "before" }, 1_000);
    const watch = createWatch(stage);
    await watch.later(6);
    const id = watch.open(7);
    await watch.later(6);
    expect(watch.told(id)).toEqual([]);
    expect(await typed(id)).toContain("Acompanho este MED");
    await watch.later(60);
    expect(watch.told(id)).toEqual(["MED: menos de 6 horas para responder"]);
    stage.sandbox.wallet.decideMed(ANA.id, id, "rejected");
    await watch.later(6);
    expect(watch.told(id).slice(1)).toEqual(["MED ganho: valor liberado"]);
  });

  test("gives the deadline of one as a file for the calendar, on a message of its own", async () => {
    const detail = messageOf(await moneyDriver.command("meds", { infracao: PENDING }));
    const answer = messageOf(await moneyDriver.press(detail, "meds:agenda:"));
    expect(answer.id).not.toBe(detail.id);
    expect(answer.privateTo).toBe(ANA.id);
    const [file, ...others] = answer.attachments;
    expect(others).toEqual([]);
    expect(file).toMatchObject({ filename: `med-${PENDING}.ics`, size: expect.any(Number) });
    expect(file?.content_type).toContain("text/calendar");
    const data = stage.sandbox.discord.attachmentData(file?.id ?? "");
    expect(data).toHaveLength(file?.size ?? -1);
    const lines = data?.toString("utf8").split("\r\n") ?? [];
    expect([lines[0], lines.at(-2), lines.at(-1)]).toEqual([
      "BEGIN:VCALENDAR",
      "END:VCALENDAR",
      "",
    ]);
    expect(lines).toContain(`UID:${PENDING}@balcao`);
    expect(lines.filter((line) => line === "BEGIN:VALARM")).toHaveLength(2);
    expect(await (await fetch(file?.url ?? "")).bytes()).toEqual(new Uint8Array(data ?? []));
  });
});

/** Ana's MEDs in the sandbox: this one awaits an answer. */
describe("the defence", () => {
  let stage: Stage;
  let moneyDriver: MoneyDriver;

  beforeEach(async () => {
    stage = await openStage();
    await stage.connectAna();
    moneyDriver = createMoneyDriver(stage);
  });

  const opened = async (infracao: string) =>
    messageOf(await moneyDriver.command("meds", { infracao }));
  const fileOf = (message: Awaited<ReturnType<typeof opened>>, ending: string): Buffer => {
    const file = message.attachments.find(({ filename }) => filename.endsWith(ending));
    const data = stage.sandbox.discord.attachmentData(file?.id ?? "");
    if (data === undefined) throw new Error(`No ${ending} under ${textOf(message)}`);
    return data;
  };
  const keep = async (text: string, txid: string): Promise<void> => {
    const written = stage.sandbox.discord.person(BRUNO.id).write(CHANNELS.geral.id, text);
    await keepProof(moneyDriver.person, written, txid);
  };

  test("has the proofs of the contested sale in both files, answers nothing, and is Ana's alone", async () => {
    const detail = await opened(PENDING);
    const txid = /Txid contestado\n`([^`]+)`/.exec(textOf(detail))?.[1] ?? "";
    await keep("Recebi, funcionou. @everyone ```fim", txid);
    await keep("De outra venda", "outro-txid");

    const answer = messageOf(await moneyDriver.press(detail, "meds:defesa:"));
    expect(answer.id).not.toBe(detail.id);
    expect(answer.privateTo).toBe(ANA.id);
    expect(answer.mentionsEveryone).toBe(false);
    expect(textOf(answer)).toContain("**Nada foi respondido.**");
    expect(textOf(answer)).toContain(`Resposta à infração ${PENDING}`);
    expect(textOf(answer)).toContain("O endereço do painel: quem cuida do bot não informou.");

    const text = fileOf(answer, ".txt").toString("utf8");
    expect(text).toContain("  > Recebi, funcionou. @everyone ```fim");
    expect(text).not.toContain("De outra venda");
    const lines = pdfText(fileOf(answer, ".pdf"));
    expect(lines).toContain("“Recebi, funcionou. @everyone ```fim”");
    expect(lines.join(" ")).toContain(PENDING);

    const ofMeds = stage.sandbox.wallet.requests.filter(({ path }) => path.startsWith("/v1/meds"));
    expect(new Set(ofMeds.map(({ method }) => method))).toEqual(new Set(["GET"]));

    const bruno = stage.sandbox.discord.person(BRUNO.id);
    const id = `meds:defesa:${/meds:defesa:([^"]+)/.exec(JSON.stringify(detail.components))?.[1]}`;
    const refused = messageOf(await bruno.forgeClick(detail.id, id));
    expect(textOf(refused)).toContain("Este MED é de outra pessoa");
    expect(refused.attachments).toEqual([]);
  });

  test("names where the answer is given in the message, and in none of the files", async () => {
    const panel = "https://painel.example/meds";
    await stage.restart({ MED_ANSWER_URL: panel });
    const list = messageOf(await moneyDriver.command("meds", {}));
    expect(JSON.stringify(list.components)).toContain(`"url":"${panel}"`);
    const detail = await opened(PENDING);
    expect(JSON.stringify(detail.components)).toContain(`"url":"${panel}"`);
    const answer = messageOf(await moneyDriver.press(detail, "meds:defesa:"));
    expect(textOf(answer)).toContain(panel);
    expect(fileOf(answer, ".txt").toString("utf8")).not.toContain(panel);
    expect(pdfText(fileOf(answer, ".pdf")).join("")).not.toContain(panel);
  });
});
