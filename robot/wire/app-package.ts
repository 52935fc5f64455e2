/** The entry-point group of robot apps. */
export const APP_GROUP = "robot_apps";

/** The hub that apps come from, and are published to, unless another one is named. */
export const PUBLIC_HUB = "https://huggingface.co";

/** The tag by which a hub's space is known as a robot app, in the YAML head of its README. */
export const APP_TAG = "robot_python_app";
