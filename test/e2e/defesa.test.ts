import { beforeEach, describe, expect, test } from "vitest";
import { ANA, BRUNO, CHANNELS } from "#src/sandbox/world.ts";
import { oneDatabase } from "../support/databases.ts";
import { pdfText } from "../support/pdf-text.ts";
import { createMoneyDriver, type MoneyDriver } from "./support/money.ts";
import { keepProof, messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

/** Ana's MEDs in the sandbox: this one awaits an answer. */
const PENDING = "b3c5e0f2-66d1-4a7e-8f19-0d42a7c81e53";

describe.each(oneDatabase)("the defence on $name", (kind) => {
  let stage: Stage;
  let moneyDriver: MoneyDriver;

  beforeEach(async () => {
    stage = await openStage(kind);
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
    expect(textOf(answer)).toContain("O endereço do painel: quem opera este bot não informou.");

    const text = fileOf(answer, ".txt").toString("utf8");
    expect(text).toContain("  > Recebi, funcionou. @everyone '''fim");
    expect(text).not.toContain("De outra venda");
    const lines = pdfText(fileOf(answer, ".pdf"));
    expect(lines).toContain("“Recebi, funcionou. @everyone '''fim”");
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
