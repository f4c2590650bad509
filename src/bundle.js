// In JavaScript for the reason in src/start.js.
import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(ROOT, "node_modules/.cache/balcao");
const MAKE = fileURLToPath(new URL("make-bundle.js", import.meta.url));
const MADE_WITHIN_MS = 60_000;

/**
 * Address of the bot as one module, which the first start after an update makes, within a second. Node keeps 30 KB for
 * each module and takes 0.2 ms to load it, and the bot has 700 with kysely and zod. Where it cannot be made, says so to
 * the operator and returns undefined: the sources are the same bot.
 */
export const bundledBot = () => {
  const path = join(FOLDER, `${stateOfSources()}.mjs`);
  const { href } = pathToFileURL(path);
  if (existsSync(path)) return href;
  const { error, signal, stderr } = spawnSync(process.execPath, [MAKE, path], {
    // The bundler gets no secret.
    env: { PATH: process.env["PATH"] },
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
    timeout: MADE_WITHIN_MS,
  });
  if (existsSync(path)) return href;
  const reason = error?.message ?? /^\w*Error: .*/m.exec(stderr)?.[0] ?? signal ?? "unknown";
  process.stderr.write(
    `Balcão could not be bundled in node_modules/.cache (${reason}), so it starts more slowly and takes 15 MB more.\n`,
  );
  return undefined;
};

/** A digest that every write to a source file changes; an update back to an older version does too. */
const stateOfSources = () => {
  const sources = ["src", "commands"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .filter((name) => !name.startsWith("sandbox"))
      .map((name) => join(folder, name)),
  );
  const states = [...sources, "package-lock.json"].map((name) => {
    const { size, ctimeMs } = statSync(join(ROOT, name));
    return `${name} ${size} ${ctimeMs}`;
  });
  return hash("sha256", [ROOT, ...states].join("\n"));
};
