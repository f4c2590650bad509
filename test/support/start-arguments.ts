import { readFileSync } from "node:fs";

const PACKAGE = new URL("../../package.json", import.meta.url);

/** Node's options and the program of `npm start`, without the developer's own `.env`. */
export const startArguments = (): readonly string[] => {
  const { scripts } = JSON.parse(readFileSync(PACKAGE, "utf8")) as {
    readonly scripts: { readonly start: string };
  };
  const [program, ...rest] = scripts.start.split(" ");
  if (program !== "node") throw new Error(`The start script is not node's: ${scripts.start}`);
  return rest.filter((argument) => !argument.startsWith("--env-file"));
};
