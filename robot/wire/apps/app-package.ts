/** The entry-point group of robot apps. */
export const APP_GROUP = "robot_apps";

/** The default hub that apps are installed from and published to. */
export const PUBLIC_HUB = "https://huggingface.co";

/** The tag in the YAML head of a space's README that marks it as a robot app. */
export const APP_TAG = "robot_python_app";
