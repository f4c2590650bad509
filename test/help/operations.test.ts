import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commands } from "#commands/index.ts";
import { operationsView } from "#src/help/help.view.ts";
import { serviceOperations } from "#src/help/operations.ts";
import { calls, type OperationName } from "../wallet/calls.ts";
import { connectTo, walletKey } from "../wallet/wallet-setup.ts";

const cells = (row: string): readonly string[] =>
  row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

describe("the table of operations", () => {
  test("is the document's sixteen, six of them described", () => {
    const rows = readFileSync("docs/service.md", "utf8").match(/^\| 4\.[1-7] .*$/gm) ?? [];
    const pathsIn = (row = ""): readonly string[] =>
      [...row.matchAll(/`(?:GET |POST )?(\/v1\/[^`?]+)/g)].map(([, path]) => path ?? "");
    const paths = (documented: boolean): readonly string[] =>
      serviceOperations
        .filter((each) => each.documented === documented)
        .map(({ request }) => request.split(" ")[1] ?? "");
    expect(paths(true).toSorted()).toEqual(rows.slice(0, 6).flatMap(pathsIn).toSorted());
    expect(paths(false).toSorted()).toEqual(pathsIn(rows[6]).toSorted());
    expect(serviceOperations).toHaveLength(16);
  });

  test("is that of docs/service.md", () => {
    const after = readFileSync("docs/service.md", "utf8").split("| Operation ").at(-1) ?? "";
    const [table = ""] = after.split("\n\n");
    expect(table.split("\n").slice(2).map(cells)).toEqual(
      serviceOperations.map(({ request, documented, commands: used, needs = "" }) => [
        `\`${request}\``,
        documented ? "documented" : "assumed",
        used.join(", "),
        needs,
      ]),
    );
  });

  test.each(Object.keys(calls) as readonly OperationName[])(
    "has the request of the client's %s",
    async (name) => {
      const { server, client } = await connectTo({ status: 404, body: "{}" });
      await calls[name](client, walletKey()).catch(() => undefined);
      const [sent] = server.received;
      const path = sent?.path.split("?")[0] ?? "";
      const found = serviceOperations.filter(({ request }) => {
        const [method, pattern = ""] = request.split(" ");
        const own = new RegExp(`^${pattern.replace(/\{\w+\}|:\w+/, "[^/]+")}$`);
        return method === sent?.method && own.test(path);
      });
      expect(found.map(({ request }) => request)).not.toEqual([]);
    },
  );

  test("has a request of the client for each row, and a command that can be typed", () => {
    const typed = commands.map(({ definition }) => `/${definition.name}`);
    expect(Object.keys(calls)).toHaveLength(serviceOperations.length);
    const named = new Set(serviceOperations.flatMap((each) => each.commands));
    expect([...named].filter((each) => !typed.includes(each))).toEqual([]);
  });

  test.each(["pt-BR", "en-US"] as const)("is told by /ajuda in %s", (locale) => {
    const [{ description = "" } = {}] = operationsView(locale).embeds ?? [];
    for (const { request, needs = "" } of serviceOperations) {
      const row = description.split("\n").find((line) => line.startsWith(`\`${request}\``));
      expect(row).toContain(needs);
    }
  });
});
