import { ApplicationCommandOptionType } from "discord-api-types/v10";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { fetchApplication, type DiscordApi } from "#src/discord/discord-api.ts";
import { NoAnswerError } from "#src/discord/discord-http.ts";
import { keepRegistered, registerCommands } from "#src/discord/register-commands.ts";
import type { CommandIds } from "#src/ui/command-mentions.ts";
import { quietLog } from "../support/databases.ts";
import { connectFakeRest, type FakeRest, type RestConduct } from "./support/fake-rest.ts";
import { APPLICATION_ID } from "./support/interactions.ts";

const PATH = `/api/v10/applications/${APPLICATION_ID}/commands`;
const config = {
  name: "config",
  description: "Configurar",
  description_localizations: { "en-US": "Set up", "en-GB": "Set up" },
  default_member_permissions: "32",
  contexts: [0],
  integration_types: [0],
  options: [
    {
      type: ApplicationCommandOptionType.Subcommand as const,
      name: "relatorio",
      description: "Relatório",
      options: [
        {
          type: ApplicationCommandOptionType.Channel as const,
          name: "canal",
          description: "Canal",
          required: true,
          channel_types: [0, 5],
        },
        {
          type: ApplicationCommandOptionType.String as const,
          name: "fuso",
          description: "Fuso",
          autocomplete: true as const,
        },
      ],
    },
  ],
};
const vendas = { name: "vendas", description: "Vendas" };

/** As Discord returns it: with ids and explicit defaults. */
const held = (command: object) => ({
  id: "1",
  application_id: APPLICATION_ID,
  version: "2",
  type: 1,
  default_member_permissions: null,
  nsfw: false,
  dm_permission: true,
  name_localizations: null,
  description_localizations: null,
  contexts: null,
  integration_types: [],
  ...command,
});

let discord: FakeRest;
let api: DiscordApi;
const waits: number[] = [];
beforeEach(async () => {
  waits.length = 0;
  ({ discord, api } = await connectFakeRest(async (ms) => void waits.push(ms)));
});

const register = async (
  commands: readonly unknown[],
  after: readonly unknown[] = [],
): ReturnType<typeof registerCommands> => {
  discord.answer(({ method }) => ({ status: 200, body: method === "GET" ? commands : after }));
  return await registerCommands({
    api,
    applicationId: APPLICATION_ID,
    definitions: [config, vendas],
  });
};

describe("commands that Discord holds already", () => {
  test("are not written again, whatever defaults and order it shows them in", async () => {
    const [subcommand] = config.options;
    const shuffled = {
      ...config,
      description_localizations: { "en-GB": "Set up", "en-US": "Set up" },
      options: [
        {
          ...subcommand,
          required: false,
          options: [
            { ...subcommand?.options[0], channel_types: [5, 0], autocomplete: false },
            { ...subcommand?.options[1], required: false },
          ],
        },
      ],
    };
    expect(await register([held(vendas), held(shuffled)])).toMatchObject({ published: false });
    expect(discord.requests).toMatchObject([{ path: `${PATH}?with_localizations=true` }]);
  });
});

describe("all commands are written in one request when", () => {
  test.each<[string, unknown[]]>([
    ["there are none", []],
    ["one is missing", [held(vendas)]],
    ["one is too many", [held(vendas), held(config), held({ ...vendas, name: "x" })]],
    ["a text differs", [held({ ...vendas, description: "Sales" }), held(config)]],
    [
      "a translation is missing",
      [held(vendas), held({ ...config, description_localizations: {} })],
    ],
    ["a permission differs", [held(vendas), held({ ...config, default_member_permissions: "8" })]],
    ["it may be used elsewhere", [held(vendas), held({ ...config, contexts: [0, 1] })]],
    [
      "options stand in another order",
      [
        held(vendas),
        held({
          ...config,
          options: [{ ...config.options[0], options: config.options[0]?.options.toReversed() }],
        }),
      ],
    ],
  ])("%s", async (_, commands) => {
    expect(await register(commands)).toMatchObject({ published: true });
    expect(discord.requests.slice(1)).toMatchObject([
      { method: "PUT", path: PATH, body: [config, vendas] },
    ]);
  });
});

test.each([
  ["that are there", [held(vendas), held(config)], []],
  ["that were written", [], [held(vendas), held(config)]],
])("the ids of commands %s are learned from Discord's one answer", async (_, before, after) => {
  const menu = held({ id: "3", name: "Guardar como prova", type: 3 });
  const { ids } = await register(before, [...after, menu]);
  expect([...ids]).toEqual([
    ["vendas", "1"],
    ["config relatorio", "1"],
  ]);
});

describe("a bot that serves", () => {
  const failures = (status: number, count: number): RestConduct[] =>
    Array.from({ length: count }, () => ({ status, body: {} }));
  const keep = (...first: RestConduct[]) => {
    const learned = Promise.withResolvers<CommandIds>();
    const asked: number[] = [];
    discord.answer(() => first.shift() ?? { status: 200, body: [held(vendas)] });
    const stopping = new AbortController();
    onTestFinished(() => stopping.abort());
    const begun = keepRegistered({
      api,
      applicationId: APPLICATION_ID,
      definitions: [vendas],
      onIds: learned.resolve,
      log: quietLog,
      wait: async (ms) => void asked.push(ms),
      signal: stopping.signal,
    });
    return { begun, learned: learned.promise, asked };
  };

  test("does not wait for a list of commands that cannot be read, and asks for it later", async () => {
    const { begun, learned, asked } = keep(...failures(502, 6));
    await begun;
    expect([...(await learned)]).toEqual([["vendas", "1"]]);
    expect(asked).toEqual([1_000, 2_000]);
  });

  test("asks for it as late as Discord wants, within ten minutes", async () => {
    const limited = { status: 429, body: { retry_after: 3_600 } };
    const { learned, asked } = keep(limited, { ...limited, body: { retry_after: 90 } });
    await learned;
    expect(asked).toEqual([600_000, 90_000]);
  });

  test("does not end when it may create no more commands that day, which Discord calls a bad request", async () => {
    const none = { status: 200, body: [] };
    const refused = { status: 400, body: { code: 30034, message: "Max number of daily" } };
    const { begun, learned, asked } = keep(none, refused, refused, refused);
    await begun;
    expect([...(await learned)]).toEqual([["vendas", "1"]]);
    expect(asked).toEqual([1_000]);
  });

  test("takes a page of HTML with 200 for no word that its commands were written", async () => {
    const page = { status: 200, body: "<html>" };
    const { begun, learned, asked } = keep({ status: 200, body: [] }, page);
    await begun;
    expect([...(await learned)]).toEqual([["vendas", "1"]]);
    expect(asked).toEqual([1_000]);
  });

  test("is told that its commands are refused", async () => {
    await expect(keep(...failures(400, 1)).begun).rejects.toMatchObject({ status: 400 });
  });
});

describe("the API", () => {
  const conducts = (...first: RestConduct[]): void => {
    const last: RestConduct = { status: 200, body: { id: APPLICATION_ID, bot: { id: "7" } } };
    discord.answer(() => first.shift() ?? last);
  };

  test("is asked up to three times while it fails", async () => {
    conducts({ status: 502 }, "reset");
    expect(await fetchApplication(api)).toEqual({ applicationId: APPLICATION_ID, botUserId: "7" });
    expect(waits).toEqual([1_000, 2_000]);
  });

  test("is asked again as late as it wants, within a minute", async () => {
    conducts(
      { status: 429, body: { retry_after: 8 } },
      { status: 429, headers: { "retry-after": "61" }, body: "" },
    );
    await expect(fetchApplication(api)).rejects.toMatchObject({ retryAfterMs: 61_000 });
    expect(waits).toEqual([8_000]);
  });

  test("is not asked again when it says no", async () => {
    conducts({ status: 401, body: { code: 0, message: "401: Unauthorized" } });
    await expect(fetchApplication(api)).rejects.toMatchObject({ status: 401, code: 0 });
    expect(discord.requests).toHaveLength(1);
    expect(api.invalidRequests()).toBe(1);
  });

  test("says in the end which call failed how", async () => {
    conducts({ status: 500 }, { status: 500 }, { status: 503 });
    await expect(fetchApplication(api)).rejects.toThrow("GET /applications/@me answered 503");
  });

  test("that answers with a page of another server in its place counts as one without an answer", async () => {
    conducts({ status: 200, body: "<html></html>" });
    await expect(fetchApplication(api)).rejects.toBeInstanceOf(NoAnswerError);
  });

  test.each([302, 401, 404])("is asked again after such a page with %i", async (status) => {
    conducts({ status, body: "<html></html>" });
    expect(await fetchApplication(api)).toMatchObject({ applicationId: APPLICATION_ID });
    expect(waits).toEqual([1_000]);
  });
});
