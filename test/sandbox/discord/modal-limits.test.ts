import { expect, test } from "vitest";
import { checkCallback } from "#src/sandbox/discord/limits/callback.ts";
import { collectProblems } from "#src/sandbox/discord/limits/problems.ts";

const MODAL = 9;
const CHOICES = 8;
const input = (more: object = {}): object => ({
  type: 4,
  custom_id: "i",
  style: 1,
  label: "Chave",
  ...more,
});
const row = (component: object): object => ({ type: 1, components: [component] });
const modal = (more: object = {}): object => ({
  custom_id: "m",
  title: "Conectar",
  components: [row(input())],
  ...more,
});

const problemsOf = (type: number, data: unknown): object => {
  const problems = collectProblems();
  checkCallback({ type, data }, [], [4, 5, CHOICES, MODAL], problems);
  return problems.nested();
};

const rows = (count: number): object[] =>
  Array.from({ length: count }, (_, n) => row(input({ custom_id: String(n) })));

test("a modal of five fields, or of labels, is taken", () => {
  expect(problemsOf(MODAL, modal({ components: rows(5) }))).toEqual({});
  const label = { type: 18, label: "Chave", component: input({ label: undefined }) };
  expect(problemsOf(MODAL, modal({ components: [label] }))).toEqual({});
});

test.for<[string, object]>([
  ["a title over 45", modal({ title: "t".repeat(46) })],
  ["a label over 45", modal({ components: [row(input({ label: "l".repeat(46) }))] })],
  ["a placeholder over 100", modal({ components: [row(input({ placeholder: "p".repeat(101) }))] })],
  ["no fields", modal({ components: [] })],
  ["six fields", modal({ components: rows(6) })],
  [
    "two fields in one row",
    modal({ components: [{ type: 1, components: [input(), input({ custom_id: "j" })] }] }),
  ],
  [
    "a button in a row",
    modal({ components: [row({ type: 2, style: 1, custom_id: "b", label: "b" })] }),
  ],
  ["the same field twice", modal({ components: [row(input()), row(input())] })],
  ["a field without a label", modal({ components: [row(input({ label: undefined }))] })],
  [
    "a least length over the most",
    modal({ components: [row(input({ min_length: 9, max_length: 8 }))] }),
  ],
  ["a value over its most", modal({ components: [row(input({ value: "abc", max_length: 2 }))] })],
  ["no custom id", modal({ custom_id: undefined })],
])("a modal is refused: %s", ([, data]) => {
  expect(problemsOf(MODAL, data)).toHaveProperty("data");
});

test("up to 25 suggestions are taken, each of 1 to 100 characters", () => {
  const choices = (count: number, name = "n") =>
    Array.from({ length: count }, (_, n) => ({ name, value: String(n) }));
  expect(problemsOf(CHOICES, { choices: choices(25) })).toEqual({});
  for (const wrong of [choices(26), choices(1, "n".repeat(101)), choices(1, ""), undefined]) {
    expect(problemsOf(CHOICES, { choices: wrong })).toHaveProperty("data.choices");
  }
});

test("a deferral takes the private flag and no other", () => {
  expect(problemsOf(5, { flags: 64 })).toEqual({});
  expect(problemsOf(5, { flags: 32_768 })).toHaveProperty("data.flags");
});
