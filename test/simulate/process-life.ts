/** A mortal bot process: after its death all its calls stay unanswered. */
export interface Life {
  readonly isAlive: () => boolean;
  readonly kill: () => void;
  /** Wraps an outside call: the process may die before or after it. */
  readonly seam: <Arguments extends unknown[], Answer>(
    name: string,
    call: (...given: Arguments) => Promise<Answer>,
  ) => (...given: Arguments) => Promise<Answer>;
}

export interface LifeOptions {
  /** Whether the process dies at this point, and for how long it is delayed there. */
  readonly reach: (point: string) => { readonly dies: boolean; readonly holdMs: number };
  readonly sleep: (ms: number) => Promise<void>;
  readonly onDeath: () => void;
}

const never = <Value>(): Promise<Value> => new Promise<Value>(() => {});

export const createLife = ({ reach, sleep, onDeath }: LifeOptions): Life => {
  let alive = true;
  const kill = (): void => {
    if (!alive) return;
    alive = false;
    onDeath();
  };
  /** False: the process is dead. */
  const pass = async (point: string): Promise<boolean> => {
    if (!alive) return false;
    const { dies, holdMs } = reach(point);
    if (dies) kill();
    else if (holdMs > 0) await sleep(holdMs);
    return alive;
  };
  return {
    isAlive: () => alive,
    kill,
    seam:
      (name, call) =>
      async (...given) => {
        if (!(await pass(`${name}:before`))) return never();
        try {
          const answer = await call(...given);
          return (await pass(`${name}:after`)) ? answer : await never();
        } catch (error) {
          if (await pass(`${name}:after`)) throw error;
          return never();
        }
      },
  };
};

export const seamed = <Port extends object>(life: Life, name: string, port: Port): Port =>
  Object.fromEntries(
    Object.entries(port).map(([member, value]) => [
      member,
      typeof value === "function" ? life.seam(`${name}.${member}`, value as never) : value,
    ]),
  ) as Port;
