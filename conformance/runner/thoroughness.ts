/** How long and how often test runs do what they do: `short` for many apps, `thorough` for the long forms. */
export type Thoroughness = "short" | "default" | "thorough";
