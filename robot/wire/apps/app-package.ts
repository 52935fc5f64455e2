/** The default hub that apps are installed from and published to. */
export const PUBLIC_HUB = "https://huggingface.co";
