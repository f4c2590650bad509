import fc from "fast-check";
import { expect, test } from "vitest";
import { action, defineCommand, handler } from "#src/discord/command.ts";
import { createInteractionRouter } from "#src/discord/interaction-router.ts";
import type { Responder } from "#src/discord/responder.ts";
import type { Services } from "#src/services.ts";
import { noMetrics } from "#src/shared/metrics.ts";
import { says } from "./support/bot-edge.ts";
import { autocompletion, click, modalSubmit, slashCommand } from "./support/interactions.ts";
import { recordingLog, standingClock, steadyRandom } from "./support/parts.ts";

const RUNS = 2_000;
const option = { name: "canal", type: 7, value: "11" };
const subcommand = { name: "relatorio", type: 1, options: [option] };
const sound = [
  () => slashCommand("config", [subcommand]),
  () => autocompletion("config", [{ ...subcommand, options: [{ ...option, focused: true }] }]),
  () => click("config:trocar:1"),
  () => modalSubmit("config:trocar:1", { api_key: "sk" }),
];

/** Every place in a JSON value, as a path of keys. */
const pathsIn = (value: unknown, path: readonly string[] = []): readonly string[][] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => [
        [...path, key],
        ...pathsIn(inner, [...path, key]),
      ])
    : [];

const replaced = (value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown =>
  key === undefined
    ? by
    : Object.assign(Array.isArray(value) ? [...value] : { ...(value as object) }, {
        [key]: replaced((value as Record<string, unknown>)[key], rest, by),
      });

const strange = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    null,
    "",
    "__proto__",
    "constructor",
    -1,
    Number.MAX_VALUE,
    "9".repeat(40),
    [],
    {},
  ),
  fc.constant({ toString: 1, valueOf: null }),
);

const malformed = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue() },
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.nat(), fc.array(fc.tuple(fc.nat(), strange), { minLength: 1, maxLength: 3 }))
      .map(([which, changes]) =>
        changes.reduce<unknown>(
          (raw, [where, by]) => {
            const paths = pathsIn(raw);
            const path = paths[where % Math.max(1, paths.length)];
            return path === undefined ? raw : replaced(raw, path, by);
          },
          sound[which % sound.length]?.(),
        ),
      ),
  },
);

test(`${RUNS} malformed interactions leave the bot alive, and the next command is answered`, async () => {
  const answered: object[] = [];
  const respond: Responder = {
    callback: async (_, body) => {
      answered.push(JSON.parse(JSON.stringify(body)) as object);
      return { kind: "accepted" };
    },
    editOriginal: async () => ({ kind: "accepted" }),
    followUp: async () => ({ kind: "accepted" }),
    close: async () => {},
  };
  const { log, lines } = recordingLog();
  const route = createInteractionRouter({
    commands: [
      defineCommand({
        definition: { name: "config", description: "Config" },
        handlers: {
          relatorio: handler({
            kind: "read",
            parse: (options) => [
              options.channel("canal"),
              options.user("canal"),
              options.string("canal"),
              options.boolean("canal"),
            ],
            run: () => says("pronto"),
          }),
        },
        actions: {
          trocar: action({
            kind: "write",
            answers: "update",
            parse: ({ argument, values, fields }) => [argument, ...values, ...fields.values()],
            run: (given) => says(String(given.length)),
          }),
        },
        autocomplete: async ({ text }) => [{ name: text.slice(0, 5), value: text.slice(0, 5) }],
      }),
    ],
    services: {} as Services,
    respond,
    live: { shown: () => {} },
    errorReply: () => says("erro"),
    claim: async () => true,
    clock: standingClock(),
    log,
    metrics: noMetrics,
    random: steadyRandom,
  });

  await fc.assert(
    fc.asyncProperty(malformed, async (raw) => {
      await route(raw, performance.now());
    }),
    { numRuns: RUNS },
  );
  // Every payload that parsed as an interaction was answered, without an internal error.
  expect(answered.length).toBeGreaterThan(RUNS / 10);
  expect(lines.filter(({ level }) => level === "error")).toEqual([]);

  answered.length = 0;
  await route(slashCommand("config", [subcommand]), performance.now());
  expect(answered).toMatchObject([{ type: 4, data: { content: "pronto" } }]);
});
