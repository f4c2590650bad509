import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { BRUNO, CHANNELS } from "#src/sandbox/world.ts";
import { PROGRAM_ENVIRONMENT } from "../support/program-environment.ts";
import { rowsOf } from "../support/rows-of.ts";
import { createWatch, type Watch } from "./support/disputes.ts";
import { keepProof, messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

const SAID = "Recebi o acesso, tudo certo.";
const TXID = "a41f07c98e2d4b6391d05c7f";
const OLD_KEY = `velha:${randomBytes(32).toString("base64")}`;
const NEW_KEY = `nova:${randomBytes(32).toString("base64")}`;

/** The bytes that a copy of the database contains. */
const bytesOf = (url: string): string => {
  const folder = dirname(url.slice("sqlite:".length));
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "latin1"))
    .join("\n");
};

describe("what is kept of disputes", () => {
  let stage: Stage;
  let watch: Watch;

  const keep = async (): Promise<void> => {
    const written = stage.sandbox.discord.person(BRUNO.id).write(CHANNELS.geral.id, SAID);
    expect(textOf(await keepProof(watch.moneyDriver.person, written, TXID))).toContain(
      "Prova guardada",
    );
  };
  const count = async (table: string): Promise<number> =>
    (await rowsOf(stage.databaseUrl, table)).length;

  beforeEach(async () => {
    stage = await openStage(undefined, { settings: { MASTER_KEY: OLD_KEY } });
    await stage.connectAna();
    watch = createWatch(stage);
    await watch.later(6);
    await keep();
  });

  test("is sealed as far as it is what somebody wrote, and all gone with the account", async () => {
    expect(await count("proof")).toBe(1);
    expect(await count("dispute_watch")).toBeGreaterThan(0);
    await stage.bot().stop();
    const before = bytesOf(stage.databaseUrl);
    for (const secret of [SAID, BRUNO.username, "Plano VIP mensal"])
      expect(before).not.toContain(secret);
    await stage.restart();

    const asked = messageOf(await watch.moneyDriver.command("conta desconectar"));
    await watch.moneyDriver.press(asked, "conta:apagar:");
    for (const table of ["proof", "dispute_watch", "dispute_poll", "account"])
      expect([table, await count(table)]).toEqual([table, 0]);
    const id = watch.open(5);
    await watch.later(6);
    await watch.later(60);
    expect(watch.told(id)).toEqual([]);
  });

  test("is sealed anew by npm run rotate-keys, and readable with the new key alone", async () => {
    await stage.bot().stop();
    const [before] = await rowsOf(stage.databaseUrl, "proof");
    const rotated = spawnSync(process.execPath, ["src/rotate-keys.ts"], {
      env: {
        ...PROGRAM_ENVIRONMENT,
        ...stage.sandbox.botEnvironment(stage.databaseUrl),
        MASTER_KEY: `${NEW_KEY}\n${OLD_KEY}`,
      },
      encoding: "utf8",
    });
    expect(rotated.status).toBe(0);
    // The stage's virtual clock differs from the machine's by far, which every program reports as a gap at start-up.
    expect(rotated.stderr).toMatch(/^\{"level":40,"time":\d+,"cause":"gap",[^\n]*\}\n$/);
    const [after] = await rowsOf(stage.databaseUrl, "proof");
    expect([before?.["content_kid"], after?.["content_kid"]]).toEqual(["velha", "nova"]);
    expect(after?.["content"]).not.toBe(before?.["content"]);

    await stage.restart({ MASTER_KEY: NEW_KEY });
    const list = messageOf(await watch.moneyDriver.command("provas"));
    expect(textOf(list)).toContain("**1 prova guardada.**");
    expect(textOf(list)).toContain(TXID);
    const id = watch.open(5);
    await watch.later(6);
    expect(watch.told(id)).toEqual(["Novo MED"]);
  });
});
