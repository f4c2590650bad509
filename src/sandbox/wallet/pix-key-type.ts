import type { PixKeyType } from "./withdrawal-book.ts";

const SHAPES = [
  ["CPF", /^\d{11}$/],
  ["CNPJ", /^[\dA-Z]{12}\d{2}$/],
  ["EMAIL", /^[^@\s]+@[^@\s]+\.[^@\s]+$/],
  ["PHONE", /^\+55\d{10,11}$/],
  ["EVP", /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/],
] as const satisfies readonly (readonly [PixKeyType, RegExp])[];

/** By shape alone, which is all that the sandbox checks; undefined when it is no key. */
export const pixKeyType = (key: string): PixKeyType | undefined =>
  SHAPES.find(([, shape]) => shape.test(key))?.[0];
