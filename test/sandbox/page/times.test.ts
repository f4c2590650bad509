import { describe, expect, test } from "vitest";
import {
  fieldTime,
  messageTime,
  nextReportLabel,
  timestampText,
} from "#src/sandbox/page/client/times.ts";

const at = (iso: string): number => Date.parse(iso);
const NOW = at("2026-11-21T17:30:00Z");

describe("times in the page", () => {
  test("are those of Brasília, in the person's language", () => {
    expect(timestampText(NOW, "F", "pt-BR", NOW)).toBe("sábado, 21 de novembro de 2026 às 14:30");
    expect(timestampText(NOW, "t", "en-US", NOW)).toMatch(/^2:30\sPM$/);
    expect(timestampText(NOW, "d", "pt-BR", NOW)).toBe("21/11/2026");
    expect(fieldTime(NOW)).toBe("2026-11-21T14:30");
  });

  test.each([
    ["2026-11-21T17:31:40Z", "em 2 minutos"],
    ["2026-11-21T17:29:50Z", "há 10 segundos"],
    ["2026-11-21T14:30:00Z", "há 3 horas"],
    ["2026-11-28T17:30:00Z", "em 7 dias"],
    ["2025-11-21T17:30:00Z", "há 1 ano"],
  ])("relative ones are told against the virtual clock: %s is %s", (iso, text) => {
    expect(timestampText(at(iso), "R", "pt-BR", NOW)).toBe(text);
  });

  test.each([
    ["2026-11-21T03:00:00Z", "Hoje às 00:00"],
    ["2026-11-21T02:59:00Z", "Ontem às 23:59"],
    ["2026-11-23T02:59:00Z", "Amanhã às 23:59"],
    ["2026-11-01T15:00:00Z", "01/11/2026 12:00"],
  ])("a message of %s reads %s: days turn at midnight in Brasília", (iso, text) => {
    expect(messageTime(at(iso), "pt-BR", NOW)).toBe(text);
  });

  test("the button that goes to the next report knows whether today's has passed", () => {
    expect(nextReportLabel(at("2026-11-22T00:04:59Z"), "pt-BR")).toBe("Hoje 21:05");
    expect(nextReportLabel(at("2026-11-22T00:05:00Z"), "pt-BR")).toBe("Amanhã 21:05");
    expect(nextReportLabel(at("2026-11-22T03:00:00Z"), "pt-BR")).toBe("Hoje 21:05");
    expect(nextReportLabel(at("2026-11-22T00:05:00Z"), "en-US")).toBe("Tomorrow 21:05");
  });
});
