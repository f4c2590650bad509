import { beforeEach, describe, expect, test } from "vitest";
import { UserError, WalletError } from "#src/shared/errors.ts";
import { says, startBotEdge, type BotEdge } from "./support/bot-edge.ts";
import {
  autocompletion,
  click,
  GUILD_ID,
  modalSubmit,
  slashCommand,
  USER_ID,
} from "./support/interactions.ts";
import { NOW } from "./support/parts.ts";

const NOBODY = { parse: [] };
const SUBCOMMAND = 1;
const read = (at = NOW) => slashCommand("vendas", [{ name: "ler", type: SUBCOMMAND }], at);
const write = () => slashCommand("vendas", [{ name: "gravar", type: SUBCOMMAND }]);

let edge: BotEdge;
beforeEach(async () => {
  edge = await startBotEdge();
});

const serve = async (raw: { readonly token: string }): Promise<unknown[]> => {
  await edge.route(raw, performance.now());
  return edge.discord.requests.map(({ body }) => body);
};

describe("an interaction that is ready in time", () => {
  test("is answered in one call, privately and notifying nobody", async () => {
    const raw = read();
    expect(await serve(raw)).toEqual([
      { type: 4, data: { content: "pronto", flags: 64, allowed_mentions: NOBODY } },
    ]);
    const [request] = edge.discord.requests;
    expect(request).toMatchObject({
      method: "POST",
      path: `/api/v10/interactions/${raw.id}/${raw.token}/callback`,
    });
    expect(request?.headers.authorization).toBeUndefined();
  });

  test("is logged with the time from its arrival to its answer", async () => {
    const began = performance.now();
    await edge.route(read(), began - 400);
    const longest = Math.ceil(performance.now() - began + 400);
    const { ackMs, totalMs } = edge.lines.at(-1)!.fields as Record<string, number>;
    for (const each of [ackMs, totalMs]) expect(each).toBeGreaterThanOrEqual(400);
    for (const each of [ackMs, totalMs]) expect(each).toBeLessThanOrEqual(longest);
  });

  test("is answered also when its member's presence cannot be kept, which is logged", async () => {
    edge.script.seen = ({ guildId, ownerId }) =>
      Promise.reject(new Error(`no place for ${ownerId} in ${guildId}`));
    expect(await serve(read())).toMatchObject([{ data: { content: "pronto" } }]);
    const failure = { err: new Error(`no place for ${USER_ID} in ${GUILD_ID}`) };
    expect(edge.lines).toMatchObject([
      { fields: { outcome: "answered" } },
      { level: "warn", fields: failure },
    ]);
  });

  test("opens a form when the handler gives one", async () => {
    const modal = { kind: "modal", customId: "conta:chave", title: "Chave", fields: [] } as const;
    edge.script.work = () => modal;
    const raw = slashCommand("vendas", [{ name: "abrir", type: SUBCOMMAND }]);
    expect(await serve(raw)).toEqual([
      { type: 9, data: { custom_id: "conta:chave", title: "Chave", components: [] } },
    ]);
  });

  test("of a component edits its message, clearing what the reply does not have", async () => {
    expect(await serve(click("vendas:trocar"))).toEqual([
      {
        type: 7,
        data: {
          content: "pronto",
          embeds: [],
          components: [],
          attachments: [],
          allowed_mentions: NOBODY,
        },
      },
    ]);
  });

  test("of a form that a command opened gets a message of its own", async () => {
    expect(await serve(modalSubmit("vendas:trocar", { x: "1" }))).toMatchObject([{ type: 4 }]);
  });

  test("suggests at most 25 choices within Discord's lengths", async () => {
    const many = Array.from({ length: 30 }, (_, n) => ({ name: "é".repeat(120), value: `${n}` }));
    edge.script.suggest = async () => [{ name: "longo", value: "v".repeat(101) }, ...many];
    const raw = autocompletion("vendas", [{ name: "data", type: 3, value: "ho", focused: true }]);
    const [body] = (await serve(raw)) as [{ type: number; data: { choices: { name: string }[] } }];
    expect(body.type).toBe(8);
    expect(body.data.choices).toHaveLength(25);
    expect(body.data.choices[0]?.name).toBe("é".repeat(100));
    expect(edge.counted).toEqual([{ command: "vendas", outcome: "suggested" }]);
  });
});

describe("what is not served", () => {
  test("is an interaction older than two and a half seconds, which is logged", async () => {
    expect(await serve(read(NOW.subtract({ milliseconds: 2_501 })))).toEqual([]);
    expect(edge.counted).toEqual([{ command: "vendas ler", outcome: "stale" }]);
    expect(edge.lines).toMatchObject([
      { level: "warn", fields: { outcome: "stale", ageMs: 2501 } },
    ]);
  });

  test("is one that was served already", async () => {
    const raw = read();
    await serve(raw);
    expect(await serve(raw)).toHaveLength(1);
    expect(edge.counted.map(({ outcome }) => outcome)).toEqual(["answered", "repeated"]);
  });

  test("is a change that another process claimed", async () => {
    edge.script.claim = async () => false;
    let ran = false;
    edge.script.work = () => {
      ran = true;
      return says("mudado");
    };
    expect(await serve(write())).toEqual([]);
    expect(ran).toBe(false);
    expect(edge.counted).toEqual([{ command: "vendas gravar", outcome: "repeated" }]);
  });

  test("is a change that could not be claimed: it is refused with a reference", async () => {
    edge.script.claim = async () => {
      throw new Error("database is locked");
    };
    expect(await serve(write())).toMatchObject([
      { type: 4, data: { content: "pt-BR unexpected 22222222" } },
    ]);
  });
});

describe("an interaction without a handler", () => {
  test.each([
    ["a command of another version", slashCommand("sumiu"), 4, "pt-BR outdated_command"],
    ["a button of another version", click("vendas:sumiu"), 4, "pt-BR outdated_component"],
    ["a button that is not ours", click("qualquer"), 4, "pt-BR outdated_component"],
    ["a kind that we never offered", { ...read(), type: 77 }, 4, "pt-BR outdated_command"],
    ["a direct message", { ...read(), guild_id: undefined }, 4, "pt-BR guild_only"],
  ])("is told so: %s", async (_, raw, type, content) => {
    expect(await serve(raw)).toMatchObject([{ type, data: { content, flags: 64 } }]);
  });

  test("gets an empty list when it is an autocomplete", async () => {
    expect(await serve(autocompletion("sumiu", []))).toEqual([{ type: 8, data: { choices: [] } }]);
  });
});

describe("an error", () => {
  test("of the person is answered with its own text", async () => {
    edge.script.work = () => {
      throw new UserError({ kind: "not_connected" });
    };
    expect(await serve(read())).toMatchObject([{ data: { content: "pt-BR not_connected" } }]);
    expect(edge.lines).toMatchObject([
      { level: "info", fields: { outcome: "answered", problem: "user:not_connected" } },
    ]);
  });

  test("of the wallet service is answered by its kind, with the support code", async () => {
    edge.script.work = () => {
      throw new WalletError({ kind: "timeout", method: "GET", route: "/v1/x", requestId: "req-1" });
    };
    expect(await serve(read())).toMatchObject([{ data: { content: "pt-BR timeout req-1" } }]);
  });

  test("of ours shows nothing but a reference that the log carries", async () => {
    edge.script.work = () => {
      throw new Error("sk_live_secret leaked");
    };
    const bodies = await serve(read());
    expect(bodies).toMatchObject([{ data: { content: "pt-BR unexpected 22222222", flags: 64 } }]);
    expect(JSON.stringify(bodies)).not.toContain("sk_live");
    expect(edge.lines).toContainEqual(
      expect.objectContaining({
        level: "error",
        fields: expect.objectContaining({ reference: "22222222" }),
      }),
    );
    expect(edge.counted).toEqual([{ command: "vendas ler", outcome: "failed" }]);
  });

  test("never takes the place of the message that held the component", async () => {
    edge.script.work = () => {
      throw new UserError({ kind: "not_your_button" });
    };
    expect(await serve(click("vendas:trocar"))).toMatchObject([{ type: 4, data: { flags: 64 } }]);
  });

  test("of Discord, whose message under the click was just deleted, leaves the answer private", async () => {
    edge.discord.answer(({ body }) =>
      JSON.stringify(body).includes('"type":7')
        ? { status: 404, body: { code: 10008, message: "Unknown Message" } }
        : { status: 204 },
    );
    expect(await serve(click("vendas:trocar"))).toMatchObject([
      { type: 7 },
      { type: 4, data: { content: "pronto", flags: 64 } },
    ]);
  });

  test("in making suggestions is an empty list", async () => {
    edge.script.suggest = async () => {
      throw new Error("no");
    };
    expect(await serve(autocompletion("vendas", []))).toEqual([{ type: 8, data: { choices: [] } }]);
  });

  test("of Discord's refusal of an answer is told to the person", async () => {
    edge.discord.answer(({ body }) =>
      JSON.stringify(body).includes("pronto")
        ? { status: 400, body: { code: 50035, message: "Invalid Form Body" } }
        : { status: 204 },
    );
    expect(await serve(read())).toMatchObject([
      { data: { content: "pronto" } },
      { data: { content: "pt-BR unexpected 22222222" } },
    ]);
    expect(edge.counted).toEqual([{ command: "vendas ler", outcome: "failed" }]);
  });
});
