import fc from "fast-check";
import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { type Command, defineCommand, handler, parseCustomId } from "#src/discord/command.ts";
import { createCommandTable } from "#src/discord/command-table.ts";
import { createInvalidRequests, isInvalid } from "#src/discord/discord-api.ts";
import { modalBody } from "#src/discord/message-body.ts";
import { createRecentIds } from "#src/discord/interaction-router.ts";
import { rememberedNames } from "#src/discord/poster.ts";
import { createPace, createPacedRest } from "#src/discord/paced-rest.ts";
import { connectFakeRest } from "./support/fake-rest.ts";
import { DAY } from "#src/shared/time.ts";
import { standingClock } from "../support/databases.ts";
import { customIdOf } from "#src/ui/reply.ts";
import { says } from "./support/bot-edge.ts";

const command = (name: string, subcommands: readonly string[] = []): Command => {
  const serve = handler({ kind: "read", parse: () => undefined, run: () => says(name) });
  return defineCommand({
    definition: { name, description: name },
    handlers:
      subcommands.length === 0
        ? serve
        : Object.fromEntries(subcommands.map((subcommand) => [subcommand, serve])),
  });
};

describe("names of guilds", () => {
  const named = () => {
    const clock = standingClock("2026-11-20T23:15:00Z");
    const names = new Map<string, string>([["1", "Loja Aurora"]]);
    const asked: string[] = [];
    const name = rememberedNames(async (guildId) => {
      asked.push(guildId);
      return names.get(guildId);
    }, clock);
    return { clock, names, asked, name };
  };

  test("are asked for once a day, so that the next report has the name of a renamed one", async () => {
    const { clock, names, asked, name } = named();
    expect(await name("1")).toBe("Loja Aurora");
    names.set("1", "Loja Boreal");
    expect(await name("1")).toBe("Loja Aurora");
    clock.moveBy(DAY);
    expect(await name("1")).toBe("Loja Boreal");
    clock.moveBy(-3 * DAY);
    names.set("1", "Loja Celeste");
    expect(await name("1")).toBe("Loja Celeste");
    expect(asked).toHaveLength(3);
  });

  test("stay while Discord does not tell them", async () => {
    const { clock, names, name } = named();
    await name("1");
    names.clear();
    clock.moveBy(DAY);
    expect(await name("1")).toBe("Loja Aurora");
    expect(await name("2")).toBeUndefined();
  });

  test("are forgotten beyond ten thousand, the oldest first", async () => {
    const { names, asked, name } = named();
    await name("1");
    for (let guild = 2; guild <= 10_001; guild++) {
      names.set(`${guild}`, "Loja");
      await name(`${guild}`);
    }
    await name("2");
    await name("1");
    expect(asked).toHaveLength(10_002);
  });
});

describe("the table of commands", () => {
  test("refuses two of the same name", () => {
    expect(() => createCommandTable([command("a"), command("a")])).toThrow("Two commands");
  });

  test.each(["constructor", "__proto__", "toString", "a run", "a", ""])(
    "knows no command called %j that nobody defined",
    (name) => {
      const table = createCommandTable([command("a", ["b"])]);
      const options = { string: () => undefined } as never;
      expect(table.find({ kind: "command", name, subcommand: "", options })).toBeUndefined();
    },
  );

  test("finds a subcommand that is called like a method of handlers", () => {
    const table = createCommandTable([command("a", ["run", "kind"])]);
    const options = { string: () => undefined } as never;
    const found = table.find({ kind: "command", name: "a", subcommand: "run", options });
    expect(found?.label).toBe("a run");
  });
});

test("what a custom id carries comes back as it was", () => {
  const word = fc.stringMatching(/^[a-z_-]{1,20}$/);
  fc.assert(
    fc.property(word, word, fc.string({ maxLength: 50 }), (name, action, argument) => {
      const id = customIdOf(name, action)(argument);
      expect(parseCustomId(id)).toEqual({ command: name, action, argument });
    }),
  );
});

test("ids are remembered as long as promised, and memory does not grow", () => {
  const isNew = createRecentIds(100);
  for (let id = 0; id < 1_000; id++) expect(isNew(String(id))).toBe(true);
  expect(isNew("999")).toBe(false);
  expect(isNew("901")).toBe(false);
  expect(isNew("0")).toBe(true);
});

describe("answers that Discord holds against us", () => {
  test.each([
    [401, {}, true],
    [403, {}, true],
    [429, {}, true],
    [429, { "x-ratelimit-scope": "global" }, true],
    [429, { "x-ratelimit-scope": "shared" }, false],
    [404, {}, false],
    [500, {}, false],
  ])("%i %o: %s", (status, headers, counts) => {
    expect(isInvalid({ status, headers, text: "" })).toBe(counts);
  });

  test("are forgotten after ten minutes", () => {
    let now = 0;
    const invalid = createInvalidRequests(() => now);
    const observe = (): void => invalid.observe({ status: 403, headers: {}, text: "" });
    for (let minute = 0; minute < 30; minute++) {
      now = minute * 60_000;
      observe();
      observe();
    }
    expect(invalid.count()).toBe(20);
    now += 5 * 60_000;
    expect(invalid.count()).toBe(12);
    now += 60 * 60_000;
    expect(invalid.count()).toBe(0);
  });

  test("count as if each other process had as many for its share, and stop all requests", async () => {
    const { discord, api } = await connectFakeRest(undefined, 0.01);
    discord.answer(() => ({ status: 403 }));
    const ask = () => api.send({ method: "GET", path: "/guilds/1" });
    for (let times = 1; times <= 30; times++) {
      await ask();
      expect(api.invalidRequests()).toBe(100 * times);
    }
    await expect(ask()).rejects.toMatchObject({ unsent: true });
    expect(discord.requests).toHaveLength(30);
  });
});

describe("every body", () => {
  test("of a form has a menu in Discord's shape, from which nothing need be chosen", () => {
    const options = [{ value: "a", label: "A", chosen: true }];
    const menu = { id: "venda", label: "Venda", required: false, options } as const;
    const modal = { kind: "modal", customId: "provas:guardar:x", title: "Prova" } as const;
    expect(modalBody({ ...modal, fields: [menu] }).components).toEqual([
      {
        type: 18,
        label: "Venda",
        component: {
          type: 3,
          custom_id: "venda",
          required: false,
          min_values: 0,
          max_values: 1,
          options: [{ value: "a", label: "A", default: true }],
        },
      },
    ]);
  });

  test("of a form has Discord's shape", () => {
    const field = { id: "api_key", label: "Chave", required: true } as const;
    const modal = { kind: "modal", customId: "conta:chave", title: "Conectar" } as const;
    expect(
      modalBody({ ...modal, fields: [{ ...field, placeholder: "sk_…", minLength: 8 }] }),
    ).toEqual({
      custom_id: "conta:chave",
      title: "Conectar",
      components: [
        {
          type: 18,
          label: "Chave",
          component: {
            type: 4,
            custom_id: "api_key",
            style: 1,
            required: true,
            placeholder: "sk_…",
            min_length: 8,
          },
        },
      ],
    });
  });
});

const PER_SECOND = 50;
const BATCH = 1_000;

/** Arrival time of each request of a batch, over a network with varying latency. */
const arrivals = async (wayThereMs: (index: number) => number, wayBackMs: number) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const turn = createPace(PER_SECOND);
  const arrived: number[] = [];
  for (let index = 0; index < BATCH; index++)
    void turn().then((answered) => {
      const thereMs = wayThereMs(index);
      arrived.push(performance.now() + thereMs);
      setTimeout(answered, thereMs + wayBackMs);
    });
  await vi.advanceTimersByTimeAsync(60_000);
  return arrived.toSorted((one, other) => one - other);
};

const mostInASecond = (arrived: readonly number[]): number =>
  Math.max(
    ...arrived.map((from) => arrived.filter((at) => at >= from && at < from + 1_000).length),
  );

describe("requests at Discord's pace", () => {
  it.each([1, 60, 150])("take hardly longer than they must, %i ms away", async (wayMs) => {
    const arrived = await arrivals(() => wayMs, wayMs);
    expect(arrived).toHaveLength(BATCH);
    const seconds = (arrived.at(-1)! - arrived[0]!) / 1_000;
    expect(seconds / (BATCH / PER_SECOND)).toBeLessThanOrEqual(1.02);
    expect(mostInASecond(arrived)).toBeLessThanOrEqual(PER_SECOND);
  });

  it("are never more than a second takes, though some of them are late", async () => {
    const arrived = await arrivals((index) => (index % 7 === 0 ? 200 : 20), 20);
    expect(arrived).toHaveLength(BATCH);
    expect(mostInASecond(arrived)).toBeLessThanOrEqual(PER_SECOND);
  });

  it("make up for those whose place was free late", async () => {
    const arrived = await arrivals((index) => (index % 60 === 0 ? 40 : 20), 20);
    const seconds = (arrived.at(-1)! - arrived[0]!) / 1_000;
    expect(seconds / (BATCH / PER_SECOND)).toBeLessThanOrEqual(1.01);
    expect(mostInASecond(arrived)).toBeLessThanOrEqual(PER_SECOND);
  });

  it("of two processes are together no more than a second takes", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const arrived: number[] = [];
    const { api } = await connectFakeRest(undefined, 0.5);
    const processes = [api, api].map((each) =>
      createPacedRest({
        ...each,
        send: async () => {
          arrived.push(performance.now());
          return { status: 200, headers: {}, text: "{}" };
        },
      }),
    );
    for (const rest of processes) {
      onTestFinished(rest.close);
      for (let index = 0; index < 2 * PER_SECOND; index++)
        void rest.call("GET", `/guilds/1180000000000000${100 + index}`);
    }
    await vi.advanceTimersByTimeAsync(10_000);
    expect(arrived).toHaveLength(4 * PER_SECOND);
    expect(mostInASecond(arrived)).toBeLessThanOrEqual(PER_SECOND);
  });

  it("come at an even distance, not as a burst", async () => {
    const arrived = await arrivals(() => 20, 20);
    const gaps = arrived.slice(1).map((at, index) => at - arrived[index]!);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(10);
  });
});
