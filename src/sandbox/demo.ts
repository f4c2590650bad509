import { parseArgs } from "node:util";
import { SECOND } from "../shared/time.ts";
import { checkDemo } from "./demo-check.ts";
import { type Demo, endWithNpm, startDemos } from "./start-demo.ts";

const PORT = 4010;
const IMPATIENT_MS = SECOND;

const welcome = (url: string): string => `
Balcão está no ar, com um Discord e uma carteira de mentira. Nada sai desta máquina.

  Abra  ${url}

e siga os passos à direita: você é Ana e Bruno, que vendem, e Carla, que administra a loja.
Ctrl+C encerra tudo.
`;

const serve = async (): Promise<void> => {
  const demo = startDemos(PORT, {
    onBotEnd: () =>
      console.error("O bot parou. Na página, Religar o traz de volta, com os dados dele."),
  });
  const leaveOnSignal = leaveOnce(demo);
  process.on("SIGINT", leaveOnSignal);
  process.on("SIGTERM", leaveOnSignal);
  console.log(welcome((await demo()).page.url));
};

let leavingSince: number | undefined;
const leaveOnce = (demo: () => Promise<Demo>) => (): void => {
  if (leavingSince !== undefined) {
    // npm repeats the signal that the terminal has already sent. A later signal comes from an impatient person.
    if (performance.now() - leavingSince > IMPATIENT_MS) process.exit(1);
    return;
  }
  leavingSince = performance.now();
  console.log("\nEncerrando…");
  demo()
    .then(({ stop }) => stop())
    .then(
      () => process.exit(0),
      () => process.exit(1),
    );
};

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
endWithNpm();
if (values.check) process.exit(await checkDemo());
await serve();
