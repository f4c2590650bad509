import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { Secret } from "#src/shared/secret.ts";
import type { Database } from "#src/schema.ts";
import { keyOffers } from "#src/accounts/key-offers.store.ts";
import { rotateKeys } from "#src/database/key-rotation.ts";
import { pixKeyBook } from "#src/withdrawals/pix-key-book.store.ts";
import { proofsStore } from "#src/defence/proofs.store.ts";
import { parseKeyRing } from "#src/database/encryption.ts";
import { databases, testRandom } from "../support/databases.ts";
import { ANA, BRUNO, GUILD, later, NOON, noticeTo, savedAccount } from "./builders.ts";
import { proofContent } from "../disputes/dispute-builders.ts";
import { ringLine, useStore, WALLET, testAccounts } from "./use-store.ts";
import { journalOf, opIn } from "../withdrawals/withdraw-builders.ts";

const keys = Array.from({ length: 20 }, (_, index) => `sk_sandbox_${index}_a1b2c3d4e5f60718`);

const pixKeys = [
  "52998224725",
  "12ABC34501DE35",
  "ana.souza@exemplo.com.br",
  "+5511987654321",
  "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0",
];

const proofTexts = [
  "Recebi a conta, Ana, valeu mesmo!",
  "comprador.ficticio",
  "comprovante-77.png",
];

const formsOf = (value: string): string[] => {
  const bytes = Buffer.from(value);
  return [
    value,
    ...(["hex", "base64", "base64url"] as const).map((form) =>
      bytes.toString(form).replace(/=+$/, ""),
    ),
  ];
};

/** Every byte of a database that the operating system, or a dump, can see. */
const bytesOf = async (db: Database, url: string): Promise<string> => {
  if (!url.startsWith("sqlite:")) {
    const tables = await sql<{ table: string }>`
      select table_name as "table" from information_schema.tables where table_schema = 'public'
    `.execute(db);
    const dumps = await Promise.all(
      tables.rows.map(({ table }) => sql`select t::text from ${sql.table(table)} t`.execute(db)),
    );
    return JSON.stringify(dumps.map(({ rows }) => rows));
  }
  const folder = dirname(url.slice("sqlite:".length));
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "latin1"))
    .join("\n");
};

describe.each(databases)("what is written on $name", (kind) => {
  const store = useStore(kind);

  test("holds no API key, no PIX key, no proof and no key of the ring, in any encoding, and is readable by its user alone", async () => {
    const { db, vault, url } = store();
    const accounts = testAccounts(db, vault);
    for (const [index, key] of keys.entries()) {
      await accounts.save(savedAccount({ guildId: `${index}` }), new Secret(key));
    }
    await accounts.save(savedAccount(), new Secret(keys[0] ?? ""));
    await accounts.save(savedAccount(), new Secret(keys[1] ?? ""));
    const offered = new Secret(keys[2] ?? "");
    const offer = {
      guildId: "3",
      ownerId: ANA,
      askedBy: BRUNO,
      locale: "pt-BR",
      askedAt: NOON,
    } as const;
    await keyOffers(db, vault).keep(
      offer,
      offered,
      ({ id }) => noticeTo(ANA, id),
      () => undefined,
    );
    const ringText = `${ringLine("second")}\n${ringLine("first")}`;
    await rotateKeys(db, parseKeyRing(ringText), WALLET, testRandom);
    await accounts.remove(GUILD, ANA, ANA, NOON);
    const journal = journalOf(store());
    const book = pixKeyBook(db, vault);
    for (const [index, value] of pixKeys.entries()) {
      const hash = vault.hashPixKey(value);
      const accountFp = `fp-${index}`;
      const pixKey = { pixKey: value, pixKeyHash: hash, pixKeyMasked: "***", accountFp };
      await opIn(journal, index % 2 ? "completed" : "unknown", pixKey);
      await book.save(ANA, { hash, value, type: "random", masked: "***" }, NOON);
    }
    const [text = "", authorName = "", name = ""] = proofTexts;
    const message = proofContent({ text, authorName, attachments: [name] });
    const proofs = proofsStore(db, vault);
    await proofs.tie(ANA, await proofs.keepPending(ANA, GUILD, message, NOON), "txid", NOON);
    await proofs.keepPending(ANA, GUILD, message, NOON);
    await rotateKeys(db, parseKeyRing(ringText), WALLET, testRandom);
    await journal.purgeEnded(later(1));

    const written = await bytesOf(db, url);
    expect(written).toContain("v1.second.");
    const ringKeys = ringText.split("\n").map((line) => line.split(":")[1] ?? "");
    const secrets = [
      ...keys,
      ...pixKeys,
      ...proofTexts,
      message.sha256,
      ...ringKeys,
      ...ringKeys.map((key) => Buffer.from(key, "base64").toString("latin1")),
    ];
    expect(secrets.flatMap(formsOf).filter((form) => written.includes(form))).toEqual([]);

    if (!url.startsWith("sqlite:")) return;
    const folder = dirname(url.slice("sqlite:".length));
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o600]));
  });
});
