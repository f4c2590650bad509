import { describe, expect, test } from "vitest";
import type { Services } from "#src/services.ts";
import type { Reply } from "#src/ui/reply.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { detailFacts, INFRACTION, listFacts, sampleRow } from "../disputes/dispute-samples.ts";
import { titleOf } from "../ui/read-message.ts";
import { INVOCATION, openCommands, routeOf } from "./command-stage.ts";

const REF = { watchId: "account-1", infractionId: INFRACTION };
const DIRECT = { ...INVOCATION, guildId: "" };

/** Ana's disputes before services that remember what they were asked. */
const openDisputeCommands = () =>
  openCommands((noting) => {
    const disputes: Partial<Services["disputes"]> = {
      overview: noting("overview", async (_, filter, page) => listFacts({ filter, page })),
      detail: noting("detail", async () => detailFacts()),
      open: noting("open", async () => detailFacts()),
      suggest: noting("suggest", async () => [sampleRow()]),
      rate: noting("rate", async () => ({ known: false, why: "no_sales" })),
    };
    return { disputes };
  });

describe("/meds", () => {
  test.each([
    [{}, "answer"],
    [{ infracao: "  " }, "answer"],
    [{ estado: "all" }, "all"],
    [{ estado: "anything" }, "answer"],
  ] as const)("typed with %j lists what is %s", async (typed, filter) => {
    const { type, asked } = openDisputeCommands();
    expect(titleOf(await type("meds", { string: typed }))).toBe("⏰ 1 MED precisa de resposta");
    expect(asked).toEqual([["overview", INVOCATION, filter, 0]]);
  });

  test("with an id, typed by hand or chosen, shows that one", async () => {
    const { type, asked } = openDisputeCommands();
    expect(
      titleOf(await type("meds", { string: { infracao: ` ${INFRACTION} `, estado: "won" } })),
    ).toBe("MED de R$ 249,00 · Precisa da sua resposta");
    expect(asked).toEqual([["detail", INVOCATION, INFRACTION]]);
  });

  test("speaks the person's language, and suggests in it", async () => {
    const { type, suggest, asked } = openDisputeCommands();
    expect(titleOf(await type("meds", {}, { ...INVOCATION, locale: "en-US" }))).toBe(
      "⏰ 1 MED needs your answer",
    );
    expect((await suggest("meds", "infracao", "b3")).map(({ value }) => value)).toEqual([
      INFRACTION,
    ]);
    expect(asked.at(-1)).toEqual(["suggest", INVOCATION, "b3"]);
  });
});

describe("the menus and buttons of /meds", () => {
  test("narrow the list, turn its pages and open one", async () => {
    const { act, asked } = openDisputeCommands();
    await act("meds:filtro:", { values: ["bank"] });
    await act("meds:pagina:bank.3");
    await act("meds:lista:");
    await act("meds:abrir:", { values: [INFRACTION] });
    await act("meds:taxa:");
    expect(asked).toEqual([
      ["overview", INVOCATION, "bank", 0],
      ["overview", INVOCATION, "bank", 3],
      ["overview", INVOCATION, "all", 0],
      ["detail", INVOCATION, INFRACTION],
      ["rate", INVOCATION],
    ]);
  });

  test("of an alert work in direct messages too, without the way to a server's list", async () => {
    const { act, asked } = openDisputeCommands();
    const answer = (await act(`meds:ver:account-1.${INFRACTION}`, {}, DIRECT)) as Reply;
    expect(JSON.stringify(answer.components)).not.toContain("meds:lista:");
    const calendar = (await act(`meds:agenda:account-1.${INFRACTION}`, {}, DIRECT)) as Reply;
    expect(calendar.files?.map(({ name }) => name)).toEqual([`med-${INFRACTION}.ics`]);
    expect(asked).toEqual([
      ["open", DIRECT, REF],
      ["open", DIRECT, REF],
    ]);
  });

  test("answer with a message of their own where they stand under one that others read", () => {
    for (const action of ["ver", "agenda"])
      expect(routeOf(`meds:${action}:account-1.${INFRACTION}`).mode).toBe("new");
    for (const action of ["lista", "filtro", "pagina", "abrir"])
      expect(routeOf(`meds:${action}:`).mode).toBe("update");
  });

  test.each([
    ["meds:filtro:", []],
    ["meds:filtro:", ["everything"]],
    ["meds:pagina:", []],
    ["meds:pagina:all.", []],
    ["meds:pagina:all.-1", []],
    ["meds:pagina:every.1", []],
    ["meds:pagina:all.99999", []],
    ["meds:abrir:", []],
    ["meds:abrir:", ["../balance"]],
    ["meds:ver:", []],
    ["meds:ver:account-1", []],
    ["meds:ver:account-1.", []],
    ["meds:ver:.abc", []],
    ["meds:agenda:account-1.../balance", []],
  ])("that were edited (%s %j) ask nobody", async (customId, values) => {
    const { act, asked } = openDisputeCommands();
    expect(await mistakeIn(act(customId, { values }))).toBe("outdated_component");
    expect(asked).toEqual([]);
  });
});
