"""The paper's experiments as studies that can be stopped, resumed and spread over workers."""

from __future__ import annotations

from secondlook.studies.registry import STUDIES as STUDIES
from secondlook.studies.registry import study_named as study_named
from secondlook.studies.runner import Finished as Finished
from secondlook.studies.runner import run_study as run_study
from secondlook.studies.study import Outcome as Outcome
from secondlook.studies.study import Plot as Plot
from secondlook.studies.study import Report as Report
from secondlook.studies.study import ReportTable as ReportTable
from secondlook.studies.study import Results as Results
from secondlook.studies.study import Settings as Settings
from secondlook.studies.study import Study as Study
from secondlook.studies.study import Unit as Unit
from secondlook.studies.workers import Workers as Workers
