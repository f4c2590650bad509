import { describe, expect, test } from "vitest";
import { commands } from "#commands/index.ts";
import type { ActionInput } from "#src/discord/command.ts";
import { createCommandTable } from "#src/discord/command-table.ts";
import type { InteractionData } from "#src/discord/interaction.ts";
import type { DisputesService } from "#src/services/disputes/dispute-services.ts";
import type { Services } from "#src/services/services.ts";
import type { Reply } from "#src/views/reply.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import {
  detailFacts,
  INFRACTION,
  listFacts,
  sampleRow,
} from "../views/disputes/dispute-samples.ts";
import { readMessage } from "../views/read-message.ts";
import { INVOCATION } from "./command-stage.ts";

const table = createCommandTable(commands);
const REF = { accountId: "account-1", infractionId: INFRACTION };
const DIRECT = { ...INVOCATION, guildId: "" };
const first = (answer: unknown) => readMessage(answer as Reply)[0];

/** Ana's disputes on recording services. */
const openDesk = () => {
  const asked: (readonly unknown[])[] = [];
  const disputes: Partial<DisputesService> = {
    overview: async (actor, filter, page) => {
      asked.push(["overview", actor, filter, page]);
      return listFacts({ filter, page });
    },
    detail: async (actor, id) => {
      asked.push(["detail", actor, id]);
      return detailFacts();
    },
    open: async (actor, ref) => {
      asked.push(["open", actor, ref]);
      return detailFacts();
    },
    suggest: async (actor, typed) => {
      asked.push(["suggest", actor, typed]);
      return [sampleRow()];
    },
    rate: async (actor) => {
      asked.push(["rate", actor]);
      return { known: false, why: "no_sales" };
    },
  };
  const services = { disputes } as Services;
  const routeOf = (deed: InteractionData) => {
    const route = table.find(deed);
    if (route === undefined || route.mode === "suggestions") throw new Error("Nobody serves it");
    return route;
  };
  const click = (customId: string, input: Partial<ActionInput> = {}): InteractionData => ({
    kind: "action",
    customId,
    input: { values: [], fields: new Map(), ...input },
    message: "1180000000000000888",
  });
  return {
    asked,
    routeOf: (customId: string) => routeOf(click(customId)),
    type: async (typed: Readonly<Record<string, string>>, invocation = INVOCATION) => {
      const nothing = () => undefined;
      const options = { boolean: nothing, user: nothing, channel: nothing, role: nothing };
      const string = (name: string) => typed[name];
      const deed = { kind: "command", name: "meds", subcommand: "" } as const;
      return await routeOf({ ...deed, options: { ...options, string } }).run(invocation, services);
    },
    act: async (customId: string, input?: Partial<ActionInput>, invocation = INVOCATION) =>
      await routeOf(click(customId, input)).run(invocation, services),
    suggest: async (text: string) => {
      const typed = { option: "infracao", text };
      const route = table.find({ kind: "autocomplete", name: "meds", typed });
      if (route?.mode !== "suggestions") throw new Error("Nobody suggests");
      return await route.run(INVOCATION, services);
    },
  };
};

describe("/meds", () => {
  test.each([
    [{}, "all"],
    [{ infracao: "  " }, "all"],
    [{ estado: "answer" }, "answer"],
    [{ estado: "anything" }, "all"],
  ] as const)("typed with %j lists what is %s", async (typed, filter) => {
    const { type, asked } = openDesk();
    expect(first(await type(typed))).toBe("MEDs");
    expect(asked).toEqual([["overview", INVOCATION, filter, 0]]);
  });

  test("with an id, typed by hand or chosen, shows that one", async () => {
    const { type, asked } = openDesk();
    expect(first(await type({ infracao: ` ${INFRACTION} `, estado: "won" }))).toBe(
      "MED · Precisa da sua resposta",
    );
    expect(asked).toEqual([["detail", INVOCATION, INFRACTION]]);
  });

  test("speaks the person's language, and suggests in it", async () => {
    const { type, suggest, asked } = openDesk();
    expect(first(await type({}, { ...INVOCATION, locale: "en-US" }))).toBe("MEDs (PIX disputes)");
    expect((await suggest("b3")).map(({ value }) => value)).toEqual([INFRACTION]);
    expect(asked.at(-1)).toEqual(["suggest", INVOCATION, "b3"]);
  });
});

describe("the menus and buttons of /meds", () => {
  test("narrow the list, turn its pages and open one", async () => {
    const { act, asked } = openDesk();
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
    const { act, asked } = openDesk();
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
    const { routeOf } = openDesk();
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
    const { act, asked } = openDesk();
    expect(await mistakeIn(act(customId, { values }))).toBe("outdated_component");
    expect(asked).toEqual([]);
  });
});
