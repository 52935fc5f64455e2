import { LiveLine } from "../../../common/live-line.ts";
import { APP_VERDICTS, type AppVerdict } from "./catalogue-run.ts";

/** Milliseconds between two lines where the output is no terminal. */
const LINE_MS = 30_000;
const HOUR_MS = 3_600_000;

interface RunProgress {
  /** Counts an app that is done. @param known its verdict was there before */
  count(verdict: AppVerdict, known: boolean): void;
  close(): void;
}

/** Shows how many apps are done, at which rate, and how long the others will take. */
export function showRunProgress(
  write: (text: string) => void,
  { total, live, now }: { total: number; live: boolean; now(): number },
): RunProgress {
  const startedAt = now();
  const line = new LiveLine(write, live);
  const counts = new Map<AppVerdict, number>();
  let [done, certified, lastLine] = [0, 0, startedAt];
  const text = (): string => {
    const hours = (now() - startedAt) / HOUR_MS;
    const rate = certified / hours;
    const left =
      certified === 0 || hours === 0 ? "" : `, ${Math.round(rate)} an hour, ${minutes((total - done) / rate)} left`;
    const parts = APP_VERDICTS.flatMap((each) => (counts.has(each) ? [`${each} ${counts.get(each)}`] : []));
    return `${done}/${total}${left}: ${parts.join(", ")}`;
  };
  return {
    count: (verdict, known) => {
      done += 1;
      if (!known) certified += 1;
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
      if (live) return line.draw(text());
      if (now() - lastLine < LINE_MS && done < total) return;
      lastLine = now();
      write(`${text()}\n`);
    },
    close: () => line.close(),
  };
}

const minutes = (hours: number): string => (hours < 1 ? `${Math.ceil(hours * 60)} min` : `${hours.toFixed(1)} h`);
