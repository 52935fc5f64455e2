import { distance } from "fastest-levenshtein";

/** Shorter words, such as x and y, are close to everything. */
const MIN_LENGTH = 3;
/** Longer words are not typing errors, and would take long to compare. */
const MAX_LENGTH = 200;

/**
 * The candidates that a person may have meant by a word, the closest first: those that differ in at most a quarter of
 * their letters (in two where that is fewer; in one for words of three or four letters). Case does not count.
 */
export function closestMatches(word: string, candidates: readonly string[]): string[] {
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH) return [];
  return candidates
    .filter((candidate) => candidate.length >= MIN_LENGTH)
    .map((candidate) => ({ candidate, edits: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, edits }) => edits <= editLimit(Math.min(word.length, candidate.length)))
    .sort((one, other) => one.edits - other.edits)
    .map(({ candidate }) => candidate);
}

/** The first of `closestMatches`; undefined when nothing is close. */
export const closestMatch = (word: string, candidates: readonly string[]): string | undefined =>
  closestMatches(word, candidates)[0];

const editLimit = (length: number): number => (length <= 4 ? 1 : Math.max(2, length / 4));
