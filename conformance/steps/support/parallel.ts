import { parallelCanAssignHelpers, setParallelCanAssign } from "@cucumber/cucumber";

/** Scenarios whose app serves a settings page on this fixed port, or that occupy it, run one at a time. */
setParallelCanAssign(parallelCanAssignHelpers.atMostOnePicklePerTag(["@port-8042"]));
