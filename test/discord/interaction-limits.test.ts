import { beforeEach, describe, expect, it } from "vitest";
import { saque } from "#commands/saque.ts";
import { action, defineCommand, handler } from "#src/discord/command.ts";
import { createInteractionLimits } from "#src/discord/interaction-limits.ts";
import { says, startBotEdge, type BotEdge } from "./support/bot-edge.ts";
import { autocompletion, click, modalSubmit, slashCommand } from "./support/interactions.ts";

const REFUSED = "pt-BR too_many_commands";
const read = () => slashCommand("vendas", [{ name: "ler", type: 1 }]);
const write = () => slashCommand("vendas", [{ name: "gravar", type: 1 }]);
const pay = () => click("saque:confirmar:token");
const enterPin = () => click("saque:pin:AbCdEfGhIjKlMnOpQrStUv");
const direct = (person: number) => {
  const userId = `11806000000000${String(person).padStart(5, "0")}`;
  const at = { guild_id: undefined, member: undefined };
  return { ...click("saque:ver"), ...at, user: { id: userId } };
};
const lock = () => slashCommand("travar");
const type = () =>
  autocompletion("vendas", [{ name: "data", type: 3, value: "ho", focused: true }]);

let edge: BotEdge;
let nowMs: number;
let ran: string[];
beforeEach(async () => {
  nowMs = 0;
  ran = [];
  const pin = saque.actions?.["pin"];
  const run = (name: string) => () => {
    ran.push(name);
    return says(name);
  };
  const commands = [
    defineCommand({
      definition: { name: "saque", description: "Saque" },
      handlers: {},
      actions: {
        confirmar: action({
          kind: "money",
          answers: "update",
          parse: () => undefined,
          run: run("money"),
        }),
        ...(pin && { pin }),
        ver: action({
          kind: "read",
          answers: "new",
          inDirectMessages: true,
          parse: () => undefined,
          run: run("direct"),
        }),
      },
    }),
    defineCommand({
      definition: { name: "travar", description: "Travar" },
      handlers: handler({
        kind: "write",
        stopsMoney: true,
        parse: () => undefined,
        run: run("lock"),
      }),
    }),
  ];
  const pace = createInteractionLimits({ perUser: 10, perGuild: 60, nowMs: () => nowMs });
  edge = await startBotEdge({}, commands, pace);
  edge.script.work = run("work");
});

const by = (person: number, raw: object): object => ({
  ...raw,
  member: { user: { id: `11806000000000${String(person).padStart(5, "0")}` }, permissions: "0" },
});

/** The content of each answer, in the order served. */
const served = async (...all: readonly object[]): Promise<readonly unknown[]> => {
  const before = edge.discord.requests.length;
  for (const raw of all) await edge.route(raw, performance.now());
  return edge.discord.requests.slice(before).map(({ body }) => {
    const { type: kind, data } = body as { type?: number; data?: Record<string, unknown> };
    return data?.["content"] ?? data?.["choices"] ?? kind ?? (body as { content: string }).content;
  });
};
const times = <Raw>(count: number, make: () => Raw): Raw[] => Array.from({ length: count }, make);

describe("S9: one person", () => {
  it("is served ten commands, clicks and forms in 30 seconds, and then told to wait, privately", async () => {
    const ten = [...times(8, read), click("vendas:trocar"), modalSubmit("vendas:trocar", {})];
    await served(...ten);
    expect(ran).toHaveLength(10);

    expect(await served(read())).toEqual([REFUSED]);
    expect(edge.discord.requests.at(-1)?.body).toMatchObject({ type: 4, data: { flags: 64 } });
    expect(ran).toHaveLength(10);
    nowMs = 29_999;
    expect(await served(read())).toEqual([REFUSED]);
    nowMs = 30_000;
    expect(await served(read())).toEqual(["work"]);
  });

  it("is held to the same ten in direct messages, where no number of people is too many", async () => {
    const answers = [];
    for (let person = 1; person <= 7; person++)
      answers.push(...(await served(...times(11, () => direct(person)))));
    expect(answers.filter((said) => said === "direct")).toHaveLength(70);
    expect(answers.filter((said) => said === REFUSED)).toHaveLength(7);
    expect(await served(by(1, read()))).toEqual([REFUSED]);
  });

  it("costs the database nothing once refused", async () => {
    await served(...times(10, write));
    let claims = 0;
    edge.script.claim = async () => (claims += 1) > 0;
    expect(await served(write(), write())).toEqual([REFUSED, REFUSED]);
    expect(claims).toBe(0);
  });

  it("holds nobody else back", async () => {
    await served(...times(11, read));
    expect(await served(by(2, read()))).toEqual(["work"]);
  });

  it("reads that a click that would move money was not begun, and may click again", async () => {
    await served(...times(10, read));
    expect(await served(pay())).toEqual([REFUSED]);
    expect(ran).not.toContain("money");
    nowMs = 30_000;
    expect(await served(pay())).toEqual([6, "money"]);
  });

  it("can lock withdrawals in a flood of other commands", async () => {
    await served(...times(11, read));
    expect(await served(lock())).toEqual(["lock"]);
  });

  it("gets empty lists once it types too much, which takes none of its commands", async () => {
    edge.script.suggest = async () => [{ name: "hoje", value: "hoje" }];
    const lists = await served(...times(61, type));
    expect(lists.filter((list) => (list as unknown[]).length === 1)).toHaveLength(60);
    expect(lists.at(-1)).toEqual([]);
    expect(await served(read())).toEqual(["work"]);
  });
});

describe("S9: all people of one guild", () => {
  it("are served sixty commands in a minute, and nobody elsewhere is held back", async () => {
    const sixty = times(6, () => times(10, read)).flatMap((own, person) =>
      own.map((raw) => by(person, raw)),
    );
    await served(...sixty);
    expect(await served(by(7, read()))).toEqual([REFUSED]);
    const elsewhere = { ...by(7, read()), guild_id: "1180000000000000009" };
    expect(await served(elsewhere)).toEqual(["work"]);
    nowMs = 60_000;
    expect(await served(by(7, read()))).toEqual(["work"]);
  });

  it("never keep one of them from confirming a withdrawal, nor from locking", async () => {
    for (let person = 0; person < 6; person++) await served(...times(10, () => by(person, read())));
    const pinForm = 9;
    expect(await served(by(7, enterPin()))).toEqual([pinForm]);
    expect(await served(by(7, pay()))).toEqual([6, "money"]);
    expect(await served(by(7, lock()))).toEqual(["lock"]);
  });
});
