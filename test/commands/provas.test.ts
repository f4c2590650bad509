import { describe, expect, test } from "vitest";
import { commands } from "#commands/index.ts";
import type { ActionInput, TargetMessage } from "#src/discord/command.ts";
import { createCommandTable } from "#src/discord/command-table.ts";
import type { InteractionData } from "#src/discord/interaction.ts";
import type { ProofsService } from "#src/services/defence/proofs.ts";
import type { Services } from "#src/services/services.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { NOW } from "../support/samples.ts";
import { sampleProof } from "../views/defence/dossier-samples.ts";
import { INVOCATION } from "./command-stage.ts";

const table = createCommandTable(commands);
const MESSAGE: TargetMessage = {
  id: "1180000000000000401",
  channelId: "1180000000000000101",
  authorId: "1180000000000000202",
  authorName: "Bruno",
  content: "Recebi",
  writtenAt: NOW,
  editedAt: undefined,
  attachments: ["https://cdn.example.com/a/1/tela.png?ex=68&is=67&hm=5f#x"],
};

/** A proofs service that records its calls. */
const openDesk = () => {
  const asked: (readonly unknown[])[] = [];
  const proofs: ProofsService = {
    hold: async (_, message) => {
      asked.push(["hold", message]);
      return "pending-1";
    },
    tie: async (_, id, txid) => {
      asked.push(["tie", id, txid]);
      return { proof: sampleProof(), isNew: true };
    },
    page: async (_, page) => {
      asked.push(["page", page]);
      return { proofs: [sampleProof()], page, pages: 9, found: 81 };
    },
    all: async () => [sampleProof(), sampleProof({ txid: "outra-venda" })],
    read: async (_, id) => {
      asked.push(["read", id]);
      return sampleProof({ id });
    },
    remove: async (_, id) => {
      asked.push(["remove", id]);
    },
  };
  const routeOf = (deed: InteractionData) => {
    const route = table.find(deed);
    if (route === undefined || route.mode === "suggestions") throw new Error("Nobody serves it");
    return route;
  };
  const run = async (deed: InteractionData) =>
    await routeOf(deed).run(INVOCATION, { proofs } as unknown as Services);
  const click = (customId: string, input: Partial<ActionInput> = {}): InteractionData => ({
    kind: "action",
    customId,
    input: { values: [], fields: new Map(), ...input },
    message: "1180000000000000888",
  });
  return {
    asked,
    keep: (message: TargetMessage) =>
      run({ kind: "message_command", name: "Guardar como prova", message }),
    routeOf: (customId: string) => routeOf(click(customId)),
    act: (customId: string, input?: Partial<ActionInput>) => run(click(customId, input)),
  };
};

describe("Guardar como prova", () => {
  test("holds the message with lasting links, and asks for the txid", async () => {
    const { keep, asked } = openDesk();
    expect(await keep(MESSAGE)).toMatchObject({
      kind: "modal",
      customId: "provas:guardar:pending-1",
    });
    const { id: messageId, content: text, attachments: _, ...same } = MESSAGE;
    const links = ["https://cdn.example.com/a/1/tela.png"];
    expect(asked).toEqual([["hold", { ...same, messageId, text, links }]]);
  });

  test("is answered by a form, which cannot wait", () => {
    const message = {
      kind: "message_command",
      name: "Guardar como prova",
      message: MESSAGE,
    } as const;
    expect(table.find(message)).toMatchObject({ mode: "form", handlerKind: "modal" });
  });
});

describe("/provas", () => {
  test("ties, turns pages, opens and deletes what its buttons name", async () => {
    const { act, asked } = openDesk();
    await act("provas:guardar:pending-1", { fields: new Map([["txid", "TX-1"]]) });
    await act("provas:pagina:8");
    await act("provas:abrir:", { values: ["proof-2"] });
    await act("provas:apagar:proof-2");
    expect(asked).toEqual([
      ["tie", "pending-1", "TX-1"],
      ["page", 8],
      ["read", "proof-2"],
      ["remove", "proof-2"],
      ["page", 0],
    ]);
  });

  test("claims what changes something, once", () => {
    const { routeOf } = openDesk();
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
    const { act, asked } = openDesk();
    expect(await mistakeIn(act(customId, { values }))).toBe("outdated_component");
    expect(asked).toEqual([]);
  });
});
