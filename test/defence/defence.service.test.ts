import { describe, expect, test } from "vitest";
import { createDefence } from "#src/defence/defence.service.ts";
import type { DossierFacts } from "#src/defence/dossier.view.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { NOW } from "../support/samples.ts";
import { apiSale } from "../disputes/dispute-samples.ts";
import { sampleProof } from "./dossier-samples.ts";
import { actor, openDisputeReading } from "../disputes/dispute-reading-stage.ts";
import { BRUNO } from "../withdrawals/money-stage.ts";

const URL = "https://painel.example.com/med";
const MED = "med-1";

const openDesk = async () => {
  const stage = await openDisputeReading();
  const { open } = stage.disputes;
  const { proofs } = stage.stores;
  const keep = async (
    txid: string,
    text: string,
    userId = actor().userId,
    writtenAt = NOW,
  ): Promise<void> => {
    const { clock } = stage;
    clock.moveBy(1);
    const { content } = sampleProof({ content: { text, writtenAt, sha256: text } });
    const id = await proofs.keepPending(userId, actor().guildId, content, clock.now());
    await proofs.tie(userId, id, txid, clock.now());
  };
  const defence = createDefence({ open, proofs, answerUrl: URL });
  const ref = { watchId: stage.accountId, infractionId: MED };
  return { ...stage, defence, keep, ref };
};

const textsOf = ({ proofs }: DossierFacts): readonly string[] =>
  proofs.map(({ content }) => content.text);

describe("a defence", () => {
  test("gathers the dispute as it stands, and the proofs of the sale by each of its ids and by the code of the MED, oldest first", async () => {
    const { defence, add, keep, ref } = await openDesk();
    add(MED, { txid: "E2E-1", sale: { ...apiSale, txid: "TX-1" } });
    await keep("TX-1", "da venda");
    await keep("e2e-1", "do pagamento");
    await keep("TX-2", "de outra venda");
    await keep("MED-1", "do MED");
    await keep("TX-1", "de outra pessoa", BRUNO);
    const facts = await defence.gather(actor(), ref);
    expect(facts).toMatchObject({ answerUrl: URL, detail: { dispute: { infractionId: MED } } });
    expect(textsOf(facts)).toEqual(["da venda", "do pagamento", "do MED"]);
  });

  test("gathers the proofs of a sale of which nothing but its txid is readable", async () => {
    const { defence, add, keep, ref } = await openDesk();
    add(MED, { txid: "E2E-1", sale: undefined, saleTxid: "TX-1" });
    await keep("TX-1", "da venda");
    expect((await defence.gather(actor(), ref)).proofs).toHaveLength(1);
  });

  test("gathers the proofs that can be read, and counts the others by the same codes", async () => {
    const { add, keep, ref, disputes, stores } = await openDesk();
    add(MED, { txid: "TX-1" });
    await keep("TX-1", "da venda");
    const list: typeof stores.proofs.list = async (ownerId, txids = []) => ({
      ...(await stores.proofs.list(ownerId, txids)),
      unreadable: txids.includes("TX-1") && txids.includes(MED) ? 2 : 0,
    });
    const proofs = { list };
    const defence = createDefence({ open: disputes.open, proofs, answerUrl: URL });
    const facts = await defence.gather(actor(), ref);
    expect([textsOf(facts), facts.unreadable]).toEqual([["da venda"], 2]);
  });

  test("gathers the proofs of a sale that the latest reading lacks", async () => {
    const { defence, add, keep, ref } = await openDesk();
    const dispute = add(MED, { txid: "E2E-1", saleTxid: "TX-1" });
    await keep("TX-1", "da venda");
    await defence.gather(actor(), ref);
    add(MED, { ...dispute, sale: undefined, saleTxid: undefined });
    expect((await defence.gather(actor(), ref)).proofs).toHaveLength(1);
  });

  test("counts no proof twice where both ids are one", async () => {
    const { defence, add, keep, ref } = await openDesk();
    add(MED, { txid: "TX-1", sale: { ...apiSale, txid: "TX-1" } });
    await keep("TX-1", "da venda");
    expect((await defence.gather(actor(), ref)).proofs).toHaveLength(1);
  });

  test("has a message once that was kept by several codes, and as it was edited too", async () => {
    const { defence, add, keep, ref } = await openDesk();
    await keep(MED, "Recebi");
    add(MED, { txid: "E2E-1", sale: { ...apiSale, txid: "TX-1" } });
    await keep("TX-1", "Recebi");
    await keep("TX-1", "Recebi, obrigado");
    expect(textsOf(await defence.gather(actor(), ref))).toEqual(["Recebi", "Recebi, obrigado"]);
  });

  test("has a conversation as it was written, also where its last message was kept first", async () => {
    const { defence, add, keep, ref } = await openDesk();
    add(MED, { txid: "TX-1" });
    await keep("TX-1", "Recebi, obrigado", undefined, NOW);
    await keep("TX-1", "Enviei o acesso", undefined, NOW.subtract({ minutes: 5 }));
    await keep("TX-1", "Já paguei", undefined, NOW.subtract({ minutes: 10 }));
    const words = ["Já paguei", "Enviei o acesso", "Recebi, obrigado"];
    expect(textsOf(await defence.gather(actor(), ref))).toEqual(words);
  });

  test("is for the owner of the account alone", async () => {
    const { defence, add, ref } = await openDesk();
    add(MED);
    const gather = () => defence.gather(actor({ userId: BRUNO }), ref);
    expect(await mistakeIn(gather())).toBe("not_your_dispute");
  });
});
