import { describe, expect, test } from "vitest";
import type { Reply } from "#src/ui/reply.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { buttonsOf, readMessage } from "../ui/read-message.ts";
import { TOKEN, TXID } from "../withdrawals/withdraw-samples.ts";
import { INVOCATION, openMoneyCommands, routeOf } from "./command-stage.ts";

describe("/estornar", () => {
  test("asks with the amount on the button, and sends nothing itself", async () => {
    const { type, asked } = openMoneyCommands();
    const question = (await type("estornar", { string: { txid: TXID } })) as Reply;
    expect(asked).toEqual([["prepareRefund", INVOCATION, TXID]]);
    expect(readMessage(question)[0]).toBe("Estornar R$ 79,90?");
    expect(readMessage(question).join("\n")).toContain("`Marcos ***`");
    expect(buttonsOf(question)).toEqual({
      "Estornar R$\u00a079,90": `saque:confirmar:${TOKEN}`,
      Desistir: `saque:desistir:${TOKEN}`,
    });
  });

  test("speaks the person's language", async () => {
    const { type } = openMoneyCommands();
    const options = { string: { txid: TXID } };
    const question = await type("estornar", options, { ...INVOCATION, locale: "en-US" });
    expect(readMessage(question)[0]).toBe("Refund R$ 79.90?");
  });

  test("is asked for by a button with the payment's txid, in a message of its own", async () => {
    const { act, asked } = openMoneyCommands();
    await act(`estornar:pedir:${TXID}`);
    expect(asked).toEqual([["prepareRefund", INVOCATION, TXID]]);
    expect(routeOf(`estornar:pedir:${TXID}`).mode).toBe("new");
  });

  test("takes no button that this version never makes", async () => {
    const { act, asked } = openMoneyCommands();
    expect(await mistakeIn(act("estornar:pedir:../meds"))).toBe("outdated_component");
    expect(asked).toEqual([]);
  });
});
