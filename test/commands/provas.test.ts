import { describe, expect, test } from "vitest";
import type { TargetMessage } from "#src/discord/command.ts";
import type { Services } from "#src/services.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { NOW } from "../support/samples.ts";
import { sampleProof } from "../defence/dossier-samples.ts";
import { sampleRow } from "../disputes/dispute-samples.ts";
import { sampleRow as sampleSale } from "../transactions/transaction-samples.ts";
import type { Modal, Reply } from "#src/ui/reply.ts";
import { buttonsOf, readMessage } from "../ui/read-message.ts";
import { INVOCATION, openCommands, routeOf } from "./command-stage.ts";

const MESSAGE: TargetMessage = {
  id: "1180000000000000401",
  channelId: "1180000000000000101",
  authorId: "1180000000000000202",
  authorName: "Bruno",
  content: "Recebi",
  writtenAt: NOW,
  editedAt: undefined,
  attachments: ["tela.png"],
  forwarded: false,
};

/** Ana's proofs before a service that remembers what it was asked. */
const openProofCommands = () => {
  const stage = openCommands((noting) => {
    const proofs: Services["proofs"] = {
      hold: noting("hold", async () => "pending-1"),
      tie: noting("tie", async (_, _pendingId, txid) => ({
        proof: sampleProof({ txid }),
        isNew: true,
        isSaleMissing: false,
      })),
      page: noting("page", async (_, page, txid) => ({
        rows: [sampleProof()],
        page,
        pages: 9,
        found: 81,
        txid,
        unreadable: 0,
      })),
      all: async () => ({
        proofs: [sampleProof(), sampleProof({ txid: "outra-venda" })],
        unreadable: 0,
      }),
      read: noting("read", async (_, id) => sampleProof({ id })),
      remove: noting("remove", async () => {}),
    };
    const disputes = { suggest: async () => [sampleRow({ txid: "contestada" })] };
    const transactions = {
      suggest: async (_: unknown, __: string, which?: string) =>
        which === "paid" || which === undefined ? [sampleSale({ txid: "vendida" })] : [],
      chosen: () => undefined,
    };
    return { proofs, disputes, transactions };
  });
  return {
    ...stage,
    keep: (message: TargetMessage) =>
      stage.run({ kind: "message_command", name: "Guardar como prova", message }),
  };
};

describe("Guardar como prova", () => {
  test("holds the message with the names of its files, and asks for the txid", async () => {
    const { keep, asked } = openProofCommands();
    expect(await keep(MESSAGE)).toMatchObject({
      kind: "modal",
      customId: "provas:guardar:pending-1",
    });
    const { id: messageId, content: text, ...same } = MESSAGE;
    expect(asked).toEqual([["hold", INVOCATION, { ...same, messageId, text }]]);
  });

  test("offers the sales of open MEDs, then recent ones, by what they were of", async () => {
    const form = (await openProofCommands().keep(MESSAGE)) as Modal;
    const [menu] = form.fields;
    expect(menu && "options" in menu && menu.options).toEqual([
      { value: "contestada", label: expect.stringMatching(/^MED · R\$/), chosen: false },
      {
        value: "vendida",
        label: expect.stringMatching(/^“Plano VIP mensal”/),
        description: "txid …endida",
        chosen: false,
      },
    ]);
  });

  test.each([
    [{ venda: "vendida" }, "vendida"],
    [{ venda: "vendida", txid: " " }, "vendida"],
    [{ venda: "vendida", txid: " TX-1 " }, "TX-1"],
    [{}, ""],
  ])("filled in with %j ties the message to %j", async (typed, txid) => {
    const { act, asked } = openProofCommands();
    await act("provas:guardar:pending-1", { fields: new Map(Object.entries(typed)) });
    expect(asked).toEqual([["tie", INVOCATION, "pending-1", txid]]);
  });

  test("says which open MED the message is evidence for, or else its sale", async () => {
    const { act } = openProofCommands();
    const kept = async (venda: string) =>
      readMessage(
        await act("provas:guardar:pending-1", { fields: new Map([["venda", venda]]) }),
      )[2];
    expect(await kept("contestada")).toMatch(/^Serve de prova para o MED: `MED · R\$/);
    expect(await kept("vendida")).toBe("Txid da venda: `vendida`");
  });

  test("is answered by a form, which cannot wait", () => {
    const message = {
      kind: "message_command",
      name: "Guardar como prova",
      message: MESSAGE,
    } as const;
    expect(routeOf(message)).toMatchObject({ mode: "form", handlerKind: "modal" });
  });
});

describe("/provas", () => {
  test("ties, turns pages, opens and deletes what its buttons name", async () => {
    const { act, asked } = openProofCommands();
    await act("provas:guardar:pending-1", { fields: new Map([["txid", "TX-1"]]) });
    await act("provas:pagina:8");
    await act("provas:abrir:", { values: ["proof-2"] });
    await act("provas:apagar:proof-2");
    expect(asked).toEqual([
      ["tie", INVOCATION, "pending-1", "TX-1"],
      ["page", INVOCATION, 8, undefined],
      ["read", INVOCATION, "proof-2"],
      ["remove", INVOCATION, "proof-2"],
      ["page", INVOCATION, 0, undefined],
    ]);
  });

  test("asks before it deletes a proof, which may be the only one of an open MED", async () => {
    const { act, asked } = openProofCommands();
    const opened = (await act("provas:abrir:", { values: ["proof-2"] })) as Reply;
    const [button] = Object.entries(buttonsOf(opened)).filter(([label]) =>
      label.startsWith("Apagar"),
    );
    await act(button?.[1] ?? "");
    expect(asked).toEqual([
      ["read", INVOCATION, "proof-2"],
      ["read", INVOCATION, "proof-2"],
    ]);
  });

  test("narrows the list to a sale, which is suggested, and keeps it while pages turn", async () => {
    const { type, act, suggest, asked } = openProofCommands();
    const list = (await type("provas", { string: { txid: " vendida " } })) as Reply;
    expect(JSON.stringify(list.components)).toContain("provas:pagina:1.vendida");
    await act("provas:pagina:1.vendida");
    expect(asked).toEqual([
      ["page", INVOCATION, 0, "vendida"],
      ["page", INVOCATION, 1, "vendida"],
    ]);
    expect((await suggest("provas", "txid", "")).map(({ value }) => value)).toEqual(["vendida"]);
  });

  test("claims what changes something, once", () => {
    const kinds = ["guardar", "apagar", "pagina", "abrir"].map(
      (action) => routeOf(`provas:${action}:x`).handlerKind,
    );
    expect(kinds).toEqual(["write", "write", "read", "read"]);
  });

  test.each([
    ["provas:pagina:", []],
    ["provas:pagina:-1", []],
    ["provas:pagina:1e3", []],
    ["provas:abrir:", []],
    ["provas:abrir:", ["../x"]],
    ["provas:apagar:", []],
    ["provas:apagar:a b", []],
    ["provas:guardar:", []],
  ])("%s with %j is of another time", async (customId, values) => {
    const { act, asked } = openProofCommands();
    expect(await mistakeIn(act(customId, { values }))).toBe("outdated_component");
    expect(asked).toEqual([]);
  });
});
