// Writes the bot as one module to the path given. A process of its own, because the bundler takes 300 MB while it works.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const SOURCE = import.meta.dirname;
const OWN = /^[./#\0]/;
/** Packages of many modules, without files or native code of their own. All others are imported as before. */
const INLINED = /^(kysely|zod|@brazilian-utils)\b/;

const bundle = await rolldown({
  input: join(SOURCE, "main.ts"),
  cwd: dirname(SOURCE),
  platform: "node",
  external: (id) => !OWN.test(id) && !INLINED.test(id),
  plugins: [
    {
      name: "addresses-of-sources",
      // Programs of threads stay files beside their module.
      transform: (code, id) =>
        code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)),
    },
  ],
});
const { output } = await bundle.generate({
  format: "esm",
  codeSplitting: false,
  // Node keeps the whole text, with two bytes for each character as soon as one character needs them.
  charset: "ascii",
  comments: false,
});

const path = process.argv[2];
const folder = dirname(path);
mkdirSync(folder, { recursive: true });
const unfinished = `${path}.${process.pid}`;
// As bytes: Node writes text by a shorter way, which does not flush. After a power cut an unflushed file may be empty, and
// the bot of an empty file ends at once, with 0.
writeFileSync(unfinished, Buffer.from(output[0].code), { flush: true });
renameSync(unfinished, path);
for (const name of readdirSync(folder))
  if (name !== basename(path)) rmSync(join(folder, name), { force: true });
