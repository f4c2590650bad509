import { beforeEach, describe, expect, test } from "vitest";
import { action, defineCommand, handler } from "#src/discord/command.ts";
import { DatabaseAwayError, UserError, WalletError } from "#src/shared/errors.ts";
import { StoreError } from "#src/shared/store-errors.ts";
import { says, startBotEdge, type BotEdge } from "./support/bot-edge.ts";
import type { RestConduct, RestRequest } from "./support/fake-rest.ts";
import { APPLICATION_ID, click, modalSubmit, slashCommand } from "./support/interactions.ts";
import { NOW } from "./support/parts.ts";

const isCallback = ({ path }: RestRequest): boolean => path.endsWith("/callback");
const isEdit = ({ method }: RestRequest): boolean => method === "PATCH";
const pay = (at = NOW) => click("saque:confirmar:token", at);
const commands = () => [
  defineCommand({
    definition: { name: "saque", description: "Saque" },
    handlers: handler({ kind: "money", parse: () => undefined, run: () => edge.script.work() }),
    actions: {
      confirmar: action({
        kind: "money",
        answers: "update",
        parse: () => undefined,
        run: () => edge.script.work(),
      }),
    },
  }),
  defineCommand({
    definition: { name: "travar", description: "Travar" },
    handlers: handler({
      kind: "write",
      stopsMoney: true,
      parse: () => undefined,
      run: () => edge.script.work(),
    }),
  }),
];

let edge: BotEdge;
let runs: number;
beforeEach(async () => {
  edge = await startBotEdge({}, commands());
  runs = 0;
  edge.script.work = () => {
    runs++;
    return says("enviado");
  };
});

const serve = (raw: object): Promise<void> => edge.route(raw, performance.now());
const contents = (): unknown[] =>
  edge.discord.requests
    .filter((request) => !isCallback(request))
    .map(({ method, body }) => [method, (body as { content: string }).content]);

describe("a handler of money", () => {
  test("runs after a deferral that Discord accepted, and its answer edits the message", async () => {
    const accepted = Promise.withResolvers<RestConduct>();
    edge.discord.answer((request) => (isCallback(request) ? accepted.promise : { status: 200 }));
    const raw = pay();
    const served = serve(raw);
    expect((await edge.discord.request(isCallback)).body).toEqual({ type: 6 });
    expect(runs).toBe(0);

    accepted.resolve({ status: 204 });
    await served;
    expect(runs).toBe(1);
    expect(edge.discord.requests.filter(isEdit)).toMatchObject([
      {
        path: `/api/v10/webhooks/${APPLICATION_ID}/${raw.token}/messages/@original`,
        body: { content: "enviado", allowed_mentions: { parse: [] } },
      },
    ]);
    expect(edge.counted).toEqual([{ command: "saque:confirmar", outcome: "deferred" }]);
  });

  test("of a form on a message edits that message, and of a command has a private one", async () => {
    const message = { id: "1180000000000000400" };
    await serve(modalSubmit("saque:confirmar:token", { pin: "123456" }, { message }));
    await serve(slashCommand("saque"));
    const callbacks = edge.discord.requests.filter(isCallback).map(({ body }) => body);
    expect(callbacks).toEqual([{ type: 6 }, { type: 5, data: { flags: 64 } }]);
    expect(runs).toBe(2);
  });

  test("is claimed before anything is said to Discord, and once", async () => {
    const claimed: string[] = [];
    edge.script.claim = async (id) => {
      expect(edge.discord.requests).toEqual([]);
      return claimed.push(id) > 1;
    };
    const raw = pay();
    await serve(raw);
    expect([claimed, runs, edge.discord.requests.length]).toEqual([[raw.id], 0, 0]);
    expect(edge.counted).toEqual([{ command: "saque:confirmar", outcome: "repeated" }]);
  });

  const sqliteError = (errcode: number): Error => Object.assign(new Error(), { errcode });
  const postgresError = (code: string): Error => Object.assign(new Error(), { code });
  test.each([
    ["is away", new DatabaseAwayError(), "database_away"],
    ["has a full disk", sqliteError(13), "database_away"],
    ["is locked by another program", sqliteError(5), "database_away"],
    ["has a table locked by another program", postgresError("55P03"), "database_away"],
    ["takes too long", postgresError("57014"), "database_away"],
    ["has a deadlock", postgresError("40P01"), "database_away"],
    ["has a full disk at its server", postgresError("53100"), "database_away"],
    ["has the row already", postgresError("23505"), "unexpected 22222222"],
    ["cannot keep its mark", new StoreError("disk_unwritable", "x"), "database_away"],
    ["cannot open a key", new StoreError("unreadable_secret", "x"), "unexpected 22222222"],
  ])(
    "S4: that cannot be claimed because the database %s is not run, and the person is told so",
    async (_, failure, told) => {
      edge.script.claim = () => Promise.reject(failure);
      await serve(pay());
      expect(runs).toBe(0);
      expect(edge.discord.requests).toMatchObject([
        { body: { type: 4, data: { content: `pt-BR ${told}`, flags: 64 } } },
      ]);
    },
  );

  test("S4: a lock of withdrawals that the database cannot keep is told as not kept", async () => {
    edge.script.claim = () => Promise.reject(new DatabaseAwayError());
    await serve(slashCommand("travar"));
    expect(edge.discord.requests).toMatchObject([
      { body: { type: 4, data: { content: "pt-BR lock_not_kept", flags: 64 } } },
    ]);
  });

  test("S4: that is claimed too late is not run, and the person was told before Discord gave up", async () => {
    edge = await startBotEdge({ answerAtMs: 0, answerWithinMs: 0 }, commands());
    edge.script.work = () => says(`${++runs}`);
    const claimed = Promise.withResolvers<boolean>();
    edge.script.claim = () => claimed.promise;
    const served = serve(pay());
    expect((await edge.discord.request(isCallback)).body).toMatchObject({
      type: 4,
      data: { content: "pt-BR database_away", flags: 64 },
    });

    claimed.resolve(true);
    await served;
    expect([runs, edge.discord.requests.length]).toEqual([0, 1]);
    expect(edge.counted).toEqual([{ command: "saque:confirmar", outcome: "failed" }]);

    edge.script.claim = async () => true;
    await serve(pay());
    expect(runs).toBe(1);
  });

  test("does not see an event that was replayed late", async () => {
    let claims = 0;
    edge.script.claim = async () => ++claims > 0;
    await serve(pay(NOW.subtract({ milliseconds: 2_501 })));
    expect([claims, runs, edge.discord.requests.length]).toEqual([0, 0, 0]);
    expect(edge.counted).toEqual([{ command: "saque:confirmar", outcome: "stale" }]);
  });
});

describe("without a deferral that Discord surely took, nothing is run", () => {
  const page = { status: 200, body: "<html>" };
  const refusals: [string, readonly RestConduct[], readonly unknown[]][] = [
    ["too late", [{ status: 404, body: { code: 10062 } }], []],
    ["answered elsewhere", [{ status: 400, body: { code: 40060 } }], []],
    ["refused", [{ status: 403, body: "<html>" }], []],
    ["throttled", [{ status: 429, body: { retry_after: 9 } }], []],
    ["twice unclear", [{ status: 500 }, "reset"], [["POST", "pt-BR not_begun"]]],
    ["twice a page of HTML with 200", [page, page], [["POST", "pt-BR not_begun"]]],
    [
      "unclear, then perhaps too late",
      ["reset", { status: 404, body: { code: 10062 } }],
      [["POST", "pt-BR not_begun"]],
    ],
  ];

  test.each(refusals)("%s", async (_, conducts, told) => {
    const left = [...conducts];
    edge.discord.answer((request) =>
      isCallback(request) ? (left.shift() ?? { status: 500 }) : { status: 200 },
    );
    await serve(pay());
    expect(runs).toBe(0);
    expect(contents()).toEqual(told);
  });

  test("but a deferral whose first answer was lost counts when Discord says that it is there", async () => {
    const left: RestConduct[] = ["reset", { status: 400, body: { code: 40060 } }];
    edge.discord.answer((request) =>
      isCallback(request) ? (left.shift() ?? { status: 500 }) : { status: 200 },
    );
    await serve(pay());
    expect(runs).toBe(1);
  });
});

describe("what breaks in a handler of money is told without advice to try again", () => {
  const failures: [string, Error, string][] = [
    ["a fault of ours", new Error("no"), "money_uncertain"],
    [
      "a failed call",
      new WalletError({ kind: "timeout", method: "POST", route: "/v1/x" }),
      "money_uncertain",
    ],
    ["a database that went away meanwhile", new DatabaseAwayError(), "money_uncertain"],
    ["a mistake of the person", new UserError({ kind: "pin_required" }), "pin_required"],
  ];

  test.each(failures)("%s", async (_, failure, told) => {
    edge.script.work = () => Promise.reject(failure);
    await serve(pay());
    expect(contents()).toEqual([["POST", `pt-BR ${told}`]]);
  });

  test("an answer that Discord refuses", async () => {
    edge.discord.answer((request) =>
      isEdit(request) ? { status: 400, body: { code: 50035 } } : { status: 204 },
    );
    await serve(pay());
    expect(contents()).toEqual([
      ["PATCH", "enviado"],
      ["POST", "pt-BR money_uncertain"],
    ]);
    expect(edge.counted).toEqual([{ command: "saque:confirmar", outcome: "failed" }]);
  });

  test("while the log keeps what it was", async () => {
    edge.script.work = () => Promise.reject(new Error("no"));
    await serve(pay());
    expect(edge.lines).toMatchObject([
      { level: "error", fields: { reference: "22222222" } },
      { level: "warn", fields: { problem: "unexpected", reference: "22222222" } },
    ]);
  });
});
