import { beforeEach, describe, expect, test } from "vitest";
import { ANA, BRUNO, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { createWatch, type Watch } from "./support/disputes.ts";
import { partWith } from "./support/money.ts";
import { keepProof, messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

const SAID = "Recebi o acesso, tudo certo.";
const PRODUCT = "Curso de violão para canhotos";
const TXID = "c0ffee0123456789abcdef01";
const PAYER = ["Pagador do sandbox", "157.640", "Comprador do sandbox"];

describe("the log of disputes", () => {
  let stage: Stage;
  let watch: Watch;

  beforeEach(async () => {
    stage = await openStage();
    await stage.connectAna();
    watch = createWatch(stage);
    await watch.setRoute({ canal: CHANNELS.avisos.id });
    await watch.choose("channel");
    await watch.later(6);
  });

  const keep = async (): Promise<void> => {
    const file = { name: "conversa-com-o-cliente.png", type: "image/png", data: Buffer.from("p") };
    const bruno = stage.sandbox.discord.person(BRUNO.id);
    const written = bruno.write(CHANNELS.geral.id, SAID, [file]);
    await keepProof(watch.moneyDriver.person, written, TXID);
  };
  const open = (): string =>
    watch.open(30, { txid: TXID, original: { type: "esales", product: PRODUCT } });

  /** Everything that the bot says about one dispute, to its owner and to others. */
  const story = async (id: string): Promise<string> => {
    const alert = watch.latest(id, watch.inChannel());
    const seen: string[] = [];
    for (const button of ["ver", "agenda", "defesa", "adiar", "respondi"])
      seen.push(textOf(await watch.moneyDriver.press(alert, `meds:${button}:`)));
    const defence = partWith(alert, "meds:defesa:");
    await stage.sandbox.discord.person(CARLA.id).click(alert.id, defence);
    await watch.moneyDriver.command("meds");
    const list = messageOf(await watch.moneyDriver.command("provas"));
    const [, proof = ""] = /"value":"([\w-]+)"/.exec(JSON.stringify(list.components)) ?? [];
    const menu = partWith(list, "provas:abrir:");
    seen.push(textOf(await watch.moneyDriver.person.select(list.id, menu, [proof])));
    return seen.join("\n");
  };

  const expectNoneLogged = (): void => {
    const logged = stage.logged();
    const files = ["conversa-com-o-cliente", "data:image"];
    for (const secret of [SAID, PRODUCT, ANA.apiKey, TXID, ...PAYER, ...files])
      expect(logged).not.toContain(secret);
  };

  test("has nothing of the payer, the sale, the proof or the key", async () => {
    await keep();
    const id = open();
    await watch.later(6);
    const shown = await story(id);
    // The texts that must stay out of the log did pass through the bot.
    for (const text of [SAID, PRODUCT, TXID, "Pagador do sandbox"]) expect(shown).toContain(text);
    await watch.later(25 * 60);
    stage.sandbox.wallet.decideMed(ANA.id, id, "rejected");
    await watch.later(6);
    expect(stage.logged()).toContain("meds:defesa");
    expectNoneLogged();
  });

  test("nor when the service, Discord and the channel fail", async () => {
    await keep();
    const id = open();
    await watch.later(6);
    for (const failure of [
      { kind: "broken_json", at: "after" },
      { kind: "html", at: "after" },
      { kind: "reset", at: "after" },
    ] as const) {
      const faults = stage.sandbox.faults.failNext("GET /v1/meds/:id", failure, 6);
      await watch.moneyDriver.command("meds", { infracao: id });
      await watch.later(6);
      expect(faults.left()).toBeLessThan(6);
      faults.cancel();
    }
    stage.sandbox.faults.failNext(
      "POST /channels/{id}/messages",
      { kind: "reset", at: "after" },
      2,
    );
    stage.sandbox.wallet.answerMed(ANA.id, id, { status: "disagreed", text: `Foi por ${SAID}` });
    await watch.later(6);
    await watch.later(6);
    stage.sandbox.discord.deleteChannel(CHANNELS.avisos.id);
    stage.sandbox.wallet.revoke(ANA.apiKey);
    await watch.later(6);
    await watch.moneyDriver.command("meds");
    expect(stage.logged()).toContain('"level":40');
    expectNoneLogged();
  });
});
