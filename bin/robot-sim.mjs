#!/usr/bin/env node
import "../dist/sim/main.js";
