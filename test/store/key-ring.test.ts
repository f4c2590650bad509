import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { parseKeyRing } from "#src/store/vault.ts";
import { ringLine } from "./use-store.ts";

const material = randomBytes(32).toString("base64");

const problemsOf = (text: string): string => {
  try {
    parseKeyRing(text);
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "";
};

describe("a key ring", () => {
  test("seals with its first key and opens with all", () => {
    const ring = parseKeyRing(`${ringLine("new")}\n${ringLine("old-2025")}\n`);
    expect(ring.current.kid).toBe("new");
    expect([...ring.keys.keys()]).toEqual(["new", "old-2025"]);
  });

  test("may have blank lines, comments, Windows line ends and spaces around its lines", () => {
    const ring = parseKeyRing(`# since November\r\n\r\n  ${ringLine("a")}  \r\n${ringLine("b")}`);
    expect([...ring.keys.keys()]).toEqual(["a", "b"]);
  });

  test("may leave out the padding of its base64", () => {
    expect(parseKeyRing(`a:${material.replace("=", "")}`).current.kid).toBe("a");
  });

  test.each([
    ["nothing", "", "no key"],
    ["only a comment", "# nothing", "no key"],
    ["a key without a name", material, "NAME:BASE64"],
    ["a name with a dot", `a.b:${material}`, "NAME:BASE64"],
    ["a short key", `a:${randomBytes(31).toString("base64")}`, "32 bytes"],
    ["a long key", `a:${randomBytes(33).toString("base64")}`, "NAME:BASE64"],
    ["a typed key", `a:${Buffer.alloc(32, "secret").toString("base64")}`, "not random"],
    ["zeros", `a:${Buffer.alloc(32).toString("base64")}`, "not random"],
    ["a name twice", `${ringLine("a")}\na:${material}`, "line 2 repeats the name a"],
    ["a key twice", `a:${material}\nb:${material}`, "line 2 has the same key as a"],
  ])("is refused when it has %s", (_, text, problem) => {
    expect(problemsOf(text)).toContain(problem);
  });

  test("is refused with every problem at once", () => {
    const problems = problemsOf(`x\n${ringLine("a")}\n\na:short`);
    expect(problems).toContain("line 1 ");
    expect(problems).toContain("line 4 ");
  });

  test("is refused without repeating what was given", () => {
    const text = `${material}\na:${material}x\nb:${material}\nb:${material}`;
    const problems = problemsOf(text);
    expect(problems).toContain("line 4");
    expect(problems).not.toContain(material.slice(0, 8));
  });

  test("does not show its keys when it is printed", () => {
    const ring = parseKeyRing(`a:${material}`);
    const shown = `${inspect(ring, { depth: 9 })}${JSON.stringify([...ring.keys])}`;
    expect(shown).not.toContain(material.slice(0, 8));
    expect(shown).not.toContain(Buffer.from(material, "base64").toString("hex").slice(0, 8));
  });
});
