import { describe, expect, test } from "vitest";
import {
  ConfigError,
  type Program,
  parseConfig,
  placeOf,
  publicHostOf,
  shareOf,
} from "#src/config.ts";

const RING = `k1:${Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7)).toString("base64")}`;
const TOKEN = "sandbox-bot-token-0000000000";
const complete = {
  DISCORD_TOKEN: TOKEN,
  WALLET_BASE_URL: "https://wallet.example",
  MASTER_KEY: RING,
};
const noFile = () => undefined;

const read = (env: Record<string, string | undefined>, program: Program = "start") =>
  parseConfig(env, program, noFile);

const problemsOf = (
  env: Record<string, string | undefined>,
  program: Program = "start",
  readFile = noFile as Parameters<typeof parseConfig>[2],
) => {
  try {
    parseConfig(env, program, readFile);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
};

describe("the configuration", () => {
  test("has the documented defaults", () => {
    const { databaseUrl, discordApiUrl, http, logLevel, shards } = read(complete);
    expect({ databaseUrl, discordApiUrl, http, logLevel, shards }).toEqual({
      databaseUrl: "sqlite:./data/balcao.db",
      discordApiUrl: "https://discord.com/api",
      http: undefined,
      logLevel: "info",
      shards: undefined,
    });
  });

  test("S9: serves ten commands of a person in 30 seconds and sixty of a server in a minute", () => {
    expect(read(complete).commandLimits).toEqual({ perUser: 10, perGuild: 60 });
    const busy = { ...complete, COMMANDS_PER_PERSON: "20", COMMANDS_PER_SERVER: "600" };
    expect(read(busy).commandLimits).toEqual({ perUser: 20, perGuild: 600 });
    expect(problemsOf({ ...complete, COMMANDS_PER_PERSON: "0" })).toEqual([
      "COMMANDS_PER_PERSON: must be a whole number from 1 to 100000",
    ]);
  });

  test("sends nothing that the service does not describe unless it is told to", () => {
    expect(read(complete).withdrawEnabled).toBe(false);
    expect(read({ ...complete, WITHDRAW_ENABLED: "true" }).withdrawEnabled).toBe(true);
    expect(read(complete).refundEnabled).toBe(false);
    expect(read({ ...complete, REFUND_ENABLED: "true" }).refundEnabled).toBe(true);
    expect(problemsOf({ ...complete, WITHDRAW_ENABLED: "yes" })).toEqual([
      "WITHDRAW_ENABLED: must be true or false",
    ]);
  });

  test.each([
    ["https://painel.example.com/med?de=bot", "https://painel.example.com/med?de=bot"],
    ["https://painel.example.com", "https://painel.example.com/"],
    ["", undefined],
  ])("shows %j as the page where a dispute is answered", (given, shown) => {
    expect(read({ ...complete, MED_ANSWER_URL: given }).medAnswerUrl).toBe(shown);
  });

  test.each([
    "http://painel.example.com",
    "javascript:alert(1)",
    "painel",
    "https://a:b@painel.example.com",
    "https://painel.example.com/`<@1>`(x)",
    `https://painel.example.com/${"a".repeat(300)}`,
  ])("refuses to send sellers to %s", (given) => {
    expect(problemsOf({ ...complete, MED_ANSWER_URL: given })).toEqual([
      "MED_ANSWER_URL: must be an address such as https://example.com/med",
    ]);
  });

  test.each([`“${TOKEN}”`, `${TOKEN}\u200B`])(
    "refuses the bot token %s, whose signs no request can carry",
    (given) => {
      expect(problemsOf({ ...complete, DISCORD_TOKEN: given })).toEqual([
        "DISCORD_TOKEN: does not look like a bot token",
      ]);
    },
  );

  test("lists every missing variable at once", () => {
    expect(problemsOf({})).toEqual([
      "DISCORD_TOKEN: is required",
      "WALLET_BASE_URL: is required",
      "MASTER_KEY: is required (or MASTER_KEY_FILE)",
    ]);
  });

  test("lists every bad variable at once, and none of their values", () => {
    const bad = {
      DISCORD_TOKEN: "short-secret",
      DISCORD_API_URL: "http://discord.example",
      WALLET_BASE_URL: "https://wallet.example/v1",
      DATABASE_URL: "mysql://x",
      MASTER_KEY: "not-a-ring-but-secret",
      SHARDS: "4",
      SHARD_COUNT: "4",
      HTTP_PORT: "70000",
      LOG_LEVEL: "loud",
    };
    const problems = problemsOf(bad);
    const names = problems.map((problem) => problem.split(":")[0]);
    expect(new Set(names)).toEqual(
      new Set(Object.keys(bad).filter((name) => name !== "SHARD_COUNT")),
    );
    expect(problems.join()).not.toMatch(/secret/);
  });

  test("requires of each program only what it uses", () => {
    expect(problemsOf({ DISCORD_TOKEN: TOKEN }, "register")).toEqual([]);
    expect(
      problemsOf({ MASTER_KEY: RING, WALLET_BASE_URL: "https://wallet.example" }, "rotate-keys"),
    ).toEqual([]);
  });

  test("keeps the health pages on this machine unless it is told otherwise", () => {
    const http = { HTTP_PORT: "9090" };
    expect(read({ ...complete, ...http }).http).toEqual({ host: "127.0.0.1", port: 9090 });
    expect(read({ ...complete, ...http, HTTP_HOST: "::" }).http?.host).toBe("::");
  });

  test("takes a public address for HTTP_PORT: https, or http on loopback", () => {
    const at = (url: string) => ({ ...complete, HTTP_PORT: "9090", PUBLIC_URL: url });
    expect(read(complete).publicUrl).toBeUndefined();
    expect(read(at("https://bot.example.com/")).publicUrl).toBe("https://bot.example.com");
    expect(read(at("http://127.0.0.1:9090")).publicUrl).toBe("http://127.0.0.1:9090");
    expect(problemsOf(at("http://bot.example.com"))).toEqual([
      "PUBLIC_URL: must be https (http only on loopback)",
    ]);
    expect(problemsOf(at("bot.example.com"))).toHaveLength(1);
    expect(problemsOf(at(`https://bot.example.com/${"a".repeat(300)}`))).toHaveLength(1);
    expect(problemsOf(at("https://bot.example.com/?"))).toHaveLength(1);
    expect(problemsOf(at("https://bot.example.com/ganchos/"))).toEqual([
      "PUBLIC_URL: must not end in /ganchos: the bot adds it",
    ]);
  });

  test("refuses a public address without a port that it leads to, in one sentence", () => {
    expect(problemsOf({ ...complete, PUBLIC_URL: "https://bot.example.com" })).toEqual([
      "PUBLIC_URL: needs HTTP_PORT, the port that it leads to",
    ]);
  });

  test("knows the host by which strangers come, and none on loopback", () => {
    expect(publicHostOf("https://Bot.example.com:8443/x")).toBe("bot.example.com");
    expect(publicHostOf("http://127.0.0.1:9090")).toBeUndefined();
  });

  test("takes no variable for unset that stands behind the mark with which some editors begin a file", () => {
    const { DISCORD_TOKEN, ...others } = complete;
    const saved =
      "the file begins with a byte order mark, which Node takes for a part of this name: save it as UTF-8 without BOM";
    expect(
      problemsOf({ ...complete, "\uFEFFDATABASE_URL": "postgres://localhost/balcao" }),
    ).toEqual([`DATABASE_URL: ${saved}`]);
    expect(problemsOf({ ...others, "\uFEFFDISCORD_TOKEN": DISCORD_TOKEN })).toEqual([
      `DISCORD_TOKEN: ${saved}`,
    ]);
  });

  test("counts an empty variable as unset", () => {
    expect(read({ ...complete, SHARDS: "", HTTP_PORT: " " }).http).toBeUndefined();
  });

  test.each([
    ["0-3", [0, 1, 2, 3]],
    ["0,1", [0, 1]],
    ["2", [2]],
  ])("reads shards %s", (text, shards) => {
    const config = read({ ...complete, SHARDS: text, SHARD_COUNT: "4" });
    expect(config.shards).toEqual(shards);
    expect(shareOf(config)).toBe(shards.length / 4);
    expect(shareOf(read(complete))).toBe(1);
    expect(placeOf(config)).toBe(shards[0]! / 4);
    expect(placeOf(read(complete))).toBe(0);
  });

  test("wants shards and their count together", () => {
    expect(problemsOf({ ...complete, SHARDS: "0" })).toHaveLength(1);
    expect(problemsOf({ ...complete, SHARD_COUNT: "2" })).toHaveLength(1);
  });

  test.each([
    "http://127.0.0.1:4000/api",
    "http://localhost:4000",
    "http://[::1]:4000",
    "https://proxy.example/discord/api/",
  ])("takes the Discord address %s", (address) => {
    expect(read({ ...complete, DISCORD_API_URL: address }).discordApiUrl).toBe(
      address.replace(/\/$/, ""),
    );
  });

  test.each([
    "ftp://x.example",
    "wallet.example",
    "http://192.168.0.1",
    "https://user:pass@wallet.example",
  ])("refuses the wallet address %s", (address) => {
    expect(problemsOf({ ...complete, WALLET_BASE_URL: address })).toHaveLength(1);
  });
});

describe("S20: the way to the database and to the wallet service", () => {
  test.each([
    "postgres://u:p@127.0.0.1:5432/balcao",
    "postgres://u:p@localhost/balcao",
    "postgres://u:a%zz%e9@localhost/balcao",
    "postgresql://u:p@[::1]/balcao",
    "postgres:///balcao?host=/var/run/postgresql",
    "postgres://localhost:5432/balcao?user=u@server",
    "postgres://u:p@%2Fvar%2Frun%2Fpostgresql/balcao",
    "postgres://u:p@db.example/balcao?sslmode=verify-full",
    "postgres://u:p@db.example/balcao?sslmode=require",
    "postgres://u:p@db.example/balcao?sslmode=no-verify",
    "postgres://u:p@db.example/balcao?sslmode=disable",
  ])("is taken as safe, or as the operator's own word: %s", (address) => {
    expect(read({ ...complete, DATABASE_URL: address }).databaseUrl).toBe(address);
  });

  test.each([
    ["postgres:///balcao", "postgres:///balcao?host=localhost"],
    ["postgres:///balcao?user=u", "postgres:///balcao?user=u&host=localhost"],
  ])("does not take the host of %s from the environment", (address, used) => {
    expect(read({ ...complete, DATABASE_URL: address }).databaseUrl).toBe(used);
  });

  test.each([
    "postgres://u:hidden@db.example/balcao",
    "postgres://u:hidden@10.0.0.5/balcao",
    "postgres://u:hidden@db/balcao?application_name=x",
    "postgres://u:hidden@localhost/balcao?host=db.example",
    "postgres://u:hidden@localhost/balcao?host=127.0.0.1&host=db.example",
    "postgres://u:hidden@db.example/balcao?sslmode=",
    "postgres://u:hidden@db.example/balcao?sslmode=of",
    "postgres://u:hidden@db.example/balcao?ssl=0",
  ])("is refused without a word about TLS, and the message says what to write: %s", (address) => {
    const problems = problemsOf({ ...complete, DATABASE_URL: address });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^DATABASE_URL: .*sslmode=verify-full/);
    expect(problems[0]).not.toContain("hidden");
  });

  test.each([
    "postgres://u:hid#den@localhost/balcao",
    "postgres://u:hid",
    "postgres://u:hid/den@localhost/balcao",
    "postgres://u:1#den@localhost/balcao",
    "postgres://u:1",
    "postgres://u:1/den@localhost/balcao",
    "postgres://u:1?den@localhost/balcao",
    "postgres://u:hid%e9den@localhost/balcao",
    "postgres://u:hid%zz%99den@localhost/balcao",
    "postgres://u:hid%zzden@[::1]/balcao",
  ])(
    "with a sign of the password that ends the address or the line, or encodes no letter, is refused with how to write it: %s",
    (address) => {
      const problems = problemsOf({ ...complete, DATABASE_URL: address });
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(/^DATABASE_URL: .*in the password write # as %23/);
      expect(problems[0]).not.toMatch(/hid|den/);
    },
  );

  test.each(["sslmode=require&uselibpqcompat=true", "uselibpqcompat=false&sslmode=verify-full"])(
    "is refused with the parameter by which pg leaves certificates unchecked, and the message says what to write: %s",
    (query) => {
      const address = `postgres://u:hidden@db.example/balcao?${query}`;
      const problems = problemsOf({ ...complete, DATABASE_URL: address });
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(/^DATABASE_URL: .*uselibpqcompat.*sslmode=verify-full/);
      expect(problems[0]).not.toContain("hidden");
    },
  );

  test.each(["start", "register", "rotate-keys"] as const)(
    "is refused by %s while Node checks no certificate",
    (program) => {
      const problems = problemsOf({ ...complete, NODE_TLS_REJECT_UNAUTHORIZED: "0" }, program);
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(/^NODE_TLS_REJECT_UNAUTHORIZED: .*and not from \.env$/);
      expect(problemsOf({ ...complete, NODE_TLS_REJECT_UNAUTHORIZED: "1" }, program)).toEqual([]);
    },
  );
});

describe("the master key", () => {
  const fromFile = {
    DISCORD_TOKEN: TOKEN,
    WALLET_BASE_URL: "https://wallet.example",
    MASTER_KEY_FILE: "/run/secrets/ring",
  };

  test("comes from a file that only its owner reads", () => {
    const config = parseConfig(fromFile, "start", () => ({ text: RING, mode: 0o600 }));
    expect(config.masterKey.reveal()).toBe(RING);
  });

  test.each([
    ["everybody can read it", () => ({ text: RING, mode: 0o644 })],
    ["it cannot be read", noFile],
    ["it is empty", () => ({ text: "", mode: 0o600 })],
  ])("is refused when %s", (_, readFile) => {
    expect(problemsOf(fromFile, "start", readFile)).toHaveLength(1);
  });

  test.each<Program>(["register", "backup"])("is no matter of %s, which needs none", (program) => {
    expect(problemsOf(fromFile, program)).toEqual([]);
    expect(problemsOf({ ...fromFile, MASTER_KEY: "no ring" }, program)).toEqual([]);
  });

  test("comes from one place only", () => {
    expect(problemsOf({ ...complete, MASTER_KEY_FILE: "/run/secrets/ring" })).toEqual([
      "MASTER_KEY and MASTER_KEY_FILE: set exactly one of the two",
    ]);
  });
});
