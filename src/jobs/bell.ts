/** Rung by whoever has news, for those who wait for some. */
export interface Bell {
  readonly ring: () => void;
  /** The next ring from now on. */
  readonly next: () => Promise<void>;
}

export const createBell = (): Bell => {
  let rung = Promise.withResolvers<void>();
  return {
    ring: () => {
      rung.resolve();
      rung = Promise.withResolvers<void>();
    },
    next: () => rung.promise,
  };
};
