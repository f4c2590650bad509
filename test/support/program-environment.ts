/** What a program of ours is given besides its own variables: nothing else of this process. */
export const PROGRAM_ENVIRONMENT = {
  PATH: process.env["PATH"] ?? "",
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
};
