import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DiscordApiError } from "#src/discord/discord-api.ts";
import { NoAnswerError } from "#src/discord/discord-http.ts";
import { DatabaseAwayError, PortError } from "#src/shared/errors.ts";
import { warningsOf, startFailure } from "#src/program.ts";
import { isConnectionFailure, isPassingFailure, StoreError } from "#src/shared/store-errors.ts";
import { temporaryFolder } from "./support/databases.ts";

const discord = (status: number, code?: number) =>
  new DiscordApiError("GET", "/applications/@me", status, code);

test.each([
  ["a token that Discord refuses", discord(401), 78],
  ["a server error of Discord", discord(500), 75],
  ["a gateway between us and Discord", discord(502), 75],
  ["Discord's limits", discord(429), 75],
  ["a page of Discord's shield", discord(403), 75],
  ["the shield's own code", discord(403, 40333), 75],
  ["a refusal of Discord's own", discord(403, 50001), 1],
  ["a mistake in our request", discord(400, 50035), 1],
  ["no answer", new NoAnswerError(true, new Error("refused")), 75],
  ["a database that is away", new StoreError("database_unavailable", "away"), 75],
  ["a database that goes away meanwhile", new DatabaseAwayError(), 75],
  [
    "a database that would forget commits",
    new DatabaseAwayError(new StoreError("unsafe_database", "fsync = off")),
    78,
  ],
  ["a database that another process has", new StoreError("database_in_use", "taken"), 75],
  ["an address that PostgreSQL refuses", new StoreError("database_refused", "password"), 78],
  ["another key ring", new StoreError("wrong_key_ring", "wrong"), 78],
  ["tables of a newer version", new StoreError("migration_failed", "newer"), 78],
  ["a fault of ours", new TypeError("x is undefined"), 1],
])("%s ends the start as a supervisor should read it", (_, error, code) => {
  expect(startFailure(error).code).toBe(code);
});

test("a start warns of a file with secrets that every user can read", () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const path = join(folder.path, ".env");
  expect(warningsOf(path)).toEqual([]);

  writeFileSync(path, "");
  chmodSync(path, 0o644);
  expect(warningsOf(path).join()).toContain(`chmod 600 ${path}`);

  chmodSync(path, 0o600);
  expect(warningsOf(path)).toEqual([]);
});

/** Root, whom permissions of files do not bind, runs it as another user. */
const BOUND = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

test.each(["main.ts", "register.ts"])(
  "src/%s tells of settings in a file that its user may not read, which Node takes for none",
  (program) => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    chmodSync(folder.path, 0o755);
    writeFileSync(join(folder.path, ".env"), "LOG_LEVEL=info\n", { mode: 0o000 });
    const args = ["--env-file-if-exists=.env", resolve("src", program)];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      ...BOUND,
      cwd: folder.path,
      env: {},
      encoding: "utf8",
    });
    expect(stderr).toContain(".env: this user cannot read it");
    expect(stderr + stdout).toContain("DISCORD_TOKEN");
    expect(status).toBe(78);
  },
);

test("the log of a start hides the bot's token and each key of the ring", () => {
  const secrets = [
    "sandbox-bot-token-0000000000",
    "b25lIGtleSBvZiB0aGUgcmluZw==",
    "YW5vdGhlciBvbmUgb2YgaXQ=",
  ];
  const program = `
    import { createStartLog } from "#src/program.ts";
    import { Secret } from "#src/shared/secret.ts";
    const [token, one, another] = ${JSON.stringify(secrets)};
    const masterKey = new Secret("k2:" + one + "\\nk1:" + another);
    const log = createStartLog({ logLevel: "info", discordToken: new Secret(token), masterKey });
    log.info([token, one, another].join(" "));
  `;
  const args = ["--input-type=module", "--eval", program];
  const { stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(stderr).toContain("[secret] [secret] [secret]");
});

const failure = (code: string | undefined, message = "failed"): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

const systemError = (code: string, syscall: string): Error =>
  Object.assign(failure(code), { syscall });

/** SQLite's errors as Node throws them: by extended result code. Source: sqlite.org/rescode.html. */
const sqlite = (errcode: number, message = "failed"): Error =>
  Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode });
const IOERR_WRITE = 778;
const READONLY_DIRECTORY = 1_544;

test.each([
  ["a full disk", sqlite(13), 75, /cannot be written.*full/],
  ["a disk that is full for its other files", failure("ENOSPC"), 75, /cannot be written.*full/],
  ["a read-only file", sqlite(READONLY_DIRECTORY), 75, /cannot be written.*read-only/],
  ["a read-only disk", failure("EROFS"), 75, /cannot be written.*read-only/],
  ["a disk that fails", sqlite(IOERR_WRITE), 75, /cannot be written/],
  [
    "a broken disk of PostgreSQL's server",
    failure("58030"),
    75,
    /cannot be written.*server.*broken/,
  ],
  ["damaged data of PostgreSQL's server", failure("XX001"), 78, /server.*damaged.*npm run restore/],
  ["a damaged index of PostgreSQL's server", failure("XX002"), 78, /server.*damaged.*reindex/i],
  ["a damaged file", sqlite(11), 78, /damaged.*npm run restore/],
  ["a file that is no database", sqlite(26), 78, /no database.*npm run restore/],
])("S16: %s is told in one sentence", (_, error, code, sentence) => {
  const { code: ended, advice } = startFailure(error);
  expect(ended).toBe(code);
  expect(advice).toMatch(sentence);
  expect(advice).not.toContain("\n");
});

test.each([
  ["that this user may not take", "EACCES", 78],
  ["that another program has", "EADDRINUSE", 75],
  ["of an address that comes up later", "EADDRNOTAVAIL", 75],
])("a port %s ends the start as a supervisor should read it", (_, reason, code) => {
  const error = new PortError("cannot be listened on", { cause: failure(reason) });
  expect(startFailure(error)).toEqual({ code, advice: "cannot be listened on." });
});

test("a port that may not be listened on is no matter of the disk", () => {
  expect(startFailure(failure("EACCES"))).toEqual({ code: 1, advice: undefined });
});

test.each([
  ["a refused connection", failure("ECONNREFUSED"), true],
  ["a name that does not resolve yet", failure("ENOTFOUND"), true],
  ["a server that starts", failure("57P03"), true],
  ["a server without a free connection", failure("53300"), true],
  ["a migration of another process", failure("55P03"), true],
  ["a deadlock", failure("40P01"), true],
  ["a connection that takes too long", failure(undefined, "timeout exceeded"), true],
  ["a connection that breaks", failure(undefined, "Connection terminated unexpectedly"), true],
  ["a full disk", sqlite(13), true],
  ["a socket that is not there yet", systemError("ENOENT", "connect"), true],
  ["a file while too many are open", systemError("EMFILE", "open"), true],
  ["a certificate's file that is not there", systemError("ENOENT", "open"), false],
  ["a certificate's file of another user", systemError("EACCES", "open"), false],
  ["a wrong password", failure("28P01"), false],
  ["a pooler that refuses a setting", failure("08P01"), false],
  ["a database that does not exist", failure("3D000"), false],
  ["a certificate of another name", failure("ERR_TLS_CERT_ALTNAME_INVALID"), false],
  ["a table that is there already", sqlite(1, "table exists"), false],
  ["migrations that we do not know", failure(undefined, "corrupted migrations: x"), false],
])("%s passes by itself or does not", (_, error, passes) => {
  expect(isPassingFailure(error)).toBe(passes);
});

test.each([
  ["a connection that an operator ended", failure("57P01"), true],
  ["a server that became a standby", failure("25006"), true],
  ["a reset", failure("ECONNRESET"), true],
  ["no answer in time", failure(undefined, "Query read timeout"), true],
  ["a statement that took too long", failure("57014"), false],
  ["a deadlock", failure("40P01"), false],
  ["a lock of another process", failure("55P03"), false],
  ["a row that is there already", failure("23505"), false],
])("S4: %s costs the connection or only the statement", (_, error, lost) => {
  expect(isConnectionFailure(error)).toBe(lost);
});
