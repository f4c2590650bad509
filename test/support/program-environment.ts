/** The base environment of our programs; all other variables of this process are withheld. */
export const PROGRAM_ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
};
