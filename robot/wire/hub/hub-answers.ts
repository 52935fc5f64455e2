import { z } from "zod";

/** Id of a space or a data set, as the hub allows it: `OWNER/NAME`. */
const RepoId = z.string().regex(/^[A-Za-z0-9][\w.-]{0,95}\/[A-Za-z0-9][\w.-]{0,95}$/, "an id of the form OWNER/NAME");

/** Id of a commit. */
const Commit = z.string().regex(/^[0-9a-f]{1,64}$/, "the id of a commit");

/** Characters of a text that a list of apps shows; the rest is cut off. */
const TEXT_LENGTH = 500;
const CardText = z.string().transform((text) => text.slice(0, TEXT_LENGTH));
/** A field of a README's head that is no text counts as absent: people write these. */
const OptionalText = CardText.optional().catch(undefined);

/** A space as the hub describes it. Hubs other than the public one leave fields out. */
export const SpaceAnswer = z.object({
  id: RepoId,
  private: z.boolean().default(false),
  likes: z.number().default(0),
  lastModified: z
    .string()
    .refine((text) => !Number.isNaN(Date.parse(text)), "a date")
    .transform((text) => new Date(text)),
  sha: Commit,
  tags: z.array(z.string()).max(1000).default([]),
  cardData: z
    .object({ title: OptionalText, emoji: OptionalText, short_description: OptionalText })
    .nullish()
    .transform((card) => card ?? {})
    .catch({}),
});
export type SpaceAnswer = z.infer<typeof SpaceAnswer>;

/** A data set as the hub describes it. */
export const DatasetAnswer = z.object({ sha: Commit });

/** An entry of the list of a repository's files; `size` in bytes. */
export const TreeEntryAnswer = z.object({
  type: z.string(),
  path: z.string().min(1).max(4096),
  size: z.int().min(0).default(0),
});

/** The user of a token. */
export const UserAnswer = z.object({
  name: z.string().min(1).max(200),
  type: z.string().optional(),
  orgs: z.array(z.object({ name: z.string() })).optional(),
  auth: z.object({ accessToken: z.object({ role: z.string().optional() }).optional() }).optional(),
});

/** Why a file of a repository cannot be written under its name on a disk; undefined when it can. */
export function pathProblem(path: string): string | undefined {
  if (bytesOf(path) > 1024) return "a path of more than 1024 bytes";
  if (/\p{Cs}/u.test(path)) return "a name that is not Unicode";
  if (/\p{Cc}/u.test(path)) return "a control character in its name";
  const parts = path.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) return "a name that leads elsewhere";
  return parts.some((part) => bytesOf(part) > 255) ? "a name of more than 255 bytes" : undefined;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
